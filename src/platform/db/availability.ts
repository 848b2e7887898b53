import { sleep } from "../concurrency/async.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { type Db, rowsOf } from "./pool.ts";
import { inTransaction } from "./transaction.ts";
import { isLoginRefusal, isWriteRefusal, readOnlyReason, writeRefusalReason } from "./errors.ts";

export type DatabaseWaitOptions = {
  timeoutMs: number;
  /** Aborts the wait, with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/**
 * In: a pool. Out: a check that fails while the database accepts no writes.
 * Guarantee: one probe at a time; its result is cached briefly.
 *
 * The probe makes the server write a temporary file in its data directory, which a full disk
 * refuses like it refuses rows. It leaves nothing behind: no row, no catalogue entry, no WAL.
 * Updating a row would prove less, because it may need no new page.
 */
export type WriteProbeOptions = {
  /** How long a result is cached: success, and failure. */
  keptMs?: number;
  failureKeptMs?: number;
  nowMs?: () => number;
};

export class NoWritesError extends Error {
  constructor(reason: string, cause?: Error) {
    super(`the database accepts no writes: ${reason}`, { cause });
    this.name = "NoWritesError";
  }
}

const longestPauseMs = 2_000;

/**
 * Waits until the database answers, at most `timeoutMs`, and logs each attempt. Throws the last
 * error after that, and at once if the database refuses the login.
 */
export async function waitForDatabase(
  db: Db,
  log: Logger,
  { timeoutMs, signal }: DatabaseWaitOptions,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let waitMs = 100;
  for (;;) {
    try {
      await db.raw("SELECT 1");
      return;
    } catch (thrown) {
      const error = toError(thrown);
      if (isLoginRefusal(error)) {
        throw new Error("The database refuses the login", { cause: error });
      }
      if (Date.now() + waitMs > deadline) {
        throw new Error(`The database did not respond within ${timeoutMs} ms`, { cause: error });
      }
      log.warn({ reason: error.message, retryInMs: waitMs }, "database.waiting");
      await sleep(waitMs, signal);
      signal?.throwIfAborted();
      waitMs = Math.min(waitMs * 2, longestPauseMs);
    }
  }
}

type ProbeAnswer = { result: Promise<void>; untilMs: number };

export function createWriteProbe(db: Db, options: WriteProbeOptions = {}): () => Promise<void> {
  const { keptMs = 10_000, failureKeptMs = 1_000, nowMs = () => performance.now() } = options;
  let latest: ProbeAnswer | undefined;

  const begin = (): ProbeAnswer => {
    const answer: ProbeAnswer = { result: probe(db), untilMs: Number.POSITIVE_INFINITY };
    answer.result.then(
      () => (answer.untilMs = nowMs() + keptMs),
      () => (answer.untilMs = nowMs() + failureKeptMs),
    );
    return answer;
  };

  return () => {
    if (latest === undefined || nowMs() >= latest.untilMs) {
      latest = begin();
    }
    return latest.result;
  };
}

/** More than the 64 KB of `work_mem`, so that the server spills it to a file. */
const spillSql = `SELECT current_setting('transaction_read_only') AS read_only,
  (SELECT count(*) FROM generate_series(1, 20000)) AS count`;

async function probe(db: Db): Promise<void> {
  try {
    const [row] = await inTransaction(db, async (trx) => {
      await rowsOf(trx, "SET LOCAL work_mem = '64kB'");
      return rowsOf<{ read_only: string }>(trx, spillSql);
    });
    if (row?.read_only === "on") {
      throw new NoWritesError(readOnlyReason);
    }
  } catch (thrown) {
    const error = toError(thrown);
    throw isWriteRefusal(error) ? new NoWritesError(writeRefusalReason(error), error) : error;
  }
}
