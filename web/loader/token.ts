/**
 * Checks that the token belongs to the user, before anything is shown. Pure except for its
 * dependencies.
 */
import { wait } from "../shared/wait.ts";
import type { Wait } from "./retry.ts";

export type TokenCheck = Readonly<{
  /** URLs of the server and the page. */
  root: string;
  origin: string;
  /** Calls the server; rejects if there is no readable response. */
  ask(): Promise<Readonly<{ ok: boolean; status: number }>>;
  /** Called when the check fails temporarily. Returns whether to retry. */
  onWait(reason: string): boolean;
}>;

const firstWaitMs = 5_000;

const longestWaitMs = 60_000;

/** undefined if valid; else the reason, for the host's developers. Retries with backoff. */
export async function findTokenFault(
  input: TokenCheck,
  pause: Wait = wait,
): Promise<string | undefined> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const checked = await check(input);
    if (typeof checked === "string") {
      return checked === "good"
        ? undefined
        : "the token is invalid or belongs to another user. Sign the user in again.";
    }
    if (!input.onWait(checked.passing)) {
      return checked.passing;
    }
    await pause(waitMs);
  }
}

type Checked = "good" | "bad" | Readonly<{ passing: string }>;

async function check({ root, origin, ask }: TokenCheck): Promise<Checked> {
  try {
    const { ok, status } = await ask();
    if (status === 429 || status >= 500) {
      return { passing: `${root} cannot verify the token at the moment (${status}).` };
    }
    return ok ? "good" : "bad";
  } catch {
    return {
      passing: `${root} did not respond, or ${origin} is not an allowed domain of this enterprise.`,
    };
  }
}
