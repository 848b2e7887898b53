import { pause } from "../wait.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Db } from "./pool.ts";

export type WaitOptions = {
  timeoutMs: number;
  /** Gives the wait up, with the signal's reason. */
  signal?: AbortSignal | undefined;
};

const longestPauseMs = 2_000;

/**
 * Waits until the database answers, at most `timeoutMs`, with a log line per try. Throws the last
 * error when the time is over, and at once where the database refuses the login.
 */
export async function waitForDatabase(
  db: Db,
  log: Logger,
  { timeoutMs, signal }: WaitOptions,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let waitMs = 100;
  for (;;) {
    try {
      await db.raw("SELECT 1");
      return;
    } catch (thrown) {
      const error = toError(thrown);
      if (isRefused(error)) {
        throw new Error("The database refuses the login", { cause: error });
      }
      if (Date.now() + waitMs > deadline) {
        throw new Error(`The database did not answer within ${timeoutMs} ms`, { cause: error });
      }
      log.warn({ reason: error.message, retryInMs: waitMs }, "database.waiting");
      await pause(waitMs, signal);
      signal?.throwIfAborted();
      waitMs = Math.min(waitMs * 2, longestPauseMs);
    }
  }
}

/** A wrong login or password: waiting cannot mend it. */
function isRefused(error: Error & { code?: unknown }): boolean {
  return typeof error.code === "string" && error.code.startsWith("28");
}
