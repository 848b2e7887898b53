import { pause } from "../wait.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Db } from "./pool.ts";

/**
 * Waits until the database answers, at most `timeoutMs`, with a log line per try.
 * Throws the last error when the time is over.
 */
export const waitForDatabase = async (db: Db, log: Logger, timeoutMs: number): Promise<void> => {
  const deadline = Date.now() + timeoutMs;
  let waitMs = 100;
  for (;;) {
    try {
      await db.raw("SELECT 1");
      return;
    } catch (thrown) {
      const error = toError(thrown);
      if (Date.now() + waitMs > deadline) {
        throw new Error(`The database did not answer within ${timeoutMs} ms`, { cause: error });
      }
      log.warn({ reason: error.message, retryInMs: waitMs }, "database.waiting");
      await pause(waitMs);
      waitMs = Math.min(waitMs * 2, 2_000);
    }
  }
};
