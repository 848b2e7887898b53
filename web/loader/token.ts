/** Whether the token is the user's, before anything is shown. Pure but for what it is given. */
import { delay, type Wait } from "./retry.ts";

export type TokenCheck = Readonly<{
  /** Address of the platform, and of the page. */
  root: string;
  origin: string;
  /** Asks the platform; rejects where there is no answer that the page may read. */
  ask(): Promise<Readonly<{ ok: boolean; status: number }>>;
  /** Nobody can say at the moment, for this reason. Out: whether to ask again. */
  onWait(reason: string): boolean;
}>;

const firstWaitMs = 5_000;

const longestWaitMs = 60_000;

/**
 * Undefined where it is good; else why not, for who builds the page. While nobody can say, asks
 * again, rarer and rarer.
 */
export async function findTokenFault(
  input: TokenCheck,
  wait: Wait = delay,
): Promise<string | undefined> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const checked = await check(input);
    if (typeof checked === "string") {
      return checked === "good"
        ? undefined
        : "the token is not good, or not this user's. Sign the user in again.";
    }
    if (!input.onWait(checked.passing)) {
      return checked.passing;
    }
    await wait(waitMs);
  }
}

type Checked = "good" | "bad" | Readonly<{ passing: string }>;

async function check({ root, origin, ask }: TokenCheck): Promise<Checked> {
  try {
    const { ok, status } = await ask();
    if (status === 429 || status >= 500) {
      return { passing: `${root} cannot say at the moment whether the token is good (${status}).` };
    }
    return ok ? "good" : "bad";
  } catch {
    return {
      passing: `${root} did not answer, or does not know ${origin} as a domain of this enterprise.`,
    };
  }
}
