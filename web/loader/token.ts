/** Whether the token is the user's, before anything is shown. */
import type { Settings } from "./arguments.ts";

/** Undefined where it is good; else why not, for who builds the page. */
export const findTokenFault = async ({
  root,
  apiKey,
  userId,
  userInfos,
}: Pick<Settings, "root" | "apiKey" | "userId" | "userInfos">): Promise<string | undefined> => {
  const body = new URLSearchParams({ apiKey, userId: String(userId), token: userInfos.token });
  try {
    // A form: no second request that asks whether it may be sent.
    const answer = await fetch(`${root}/api/checkUserToken`, {
      method: "POST",
      body,
      credentials: "omit",
      cache: "no-store",
    });
    return answer.ok
      ? undefined
      : "the token is not good, or not this user's. Sign the user in again.";
  } catch {
    return `${root} did not answer, or does not know ${location.origin} as a domain of this enterprise.`;
  }
};
