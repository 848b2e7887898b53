/**
 * In: how many events have left the outbox. Out: an outbox whose index has few dead entries.
 * Guarantee: none; no delivery depends on it.
 * On crash: the next process counts from zero.
 */
import { type Db, rowsOf } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";

export type TidyOutboxDeps = {
  db: Db;
  log: Pick<Logger, "debug">;
  /** A monotonic clock in milliseconds. */
  nowMs: () => number;
};

/** So many dead entries, about a dozen pages, cost each batch some 30 µs. */
const eventsBetween = 5_000;

const pauseMs = 5_000;

/** While a long transaction keeps all dead rows, each VACUUM reads them in vain, and takes longer. */
const restFactor = 20;

/** Another VACUUM of the table is enough; an exclusive lock, to shorten the file, would stop the API. */
const vacuumSql = "VACUUM (SKIP_LOCKED, TRUNCATE false) outbox";

/**
 * Returns a function that counts events, and vacuums the outbox now and then. Every read of the oldest
 * rows passes the index entries of all that have left since the last VACUUM. Postgres by itself does
 * one per minute: until then, a thousand events per second leave 160 such pages. What a burst leaves
 * is removed without another event: those after it may be fanned out by another process.
 */
export function createTidyOutbox({ db, log, nowMs }: TidyOutboxDeps) {
  let count = 0;
  /** Infinite while one runs. */
  let nextAtMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const vacuum = async (): Promise<void> => {
    const startedAtMs = nowMs();
    const removed = count;
    count = 0;
    nextAtMs = Number.POSITIVE_INFINITY;
    try {
      await rowsOf(db, vacuumSql);
    } catch (thrown) {
      count += removed; // so that the next attempt waits for the pause alone, not for more events
      log.debug({ reason: toError(thrown).message }, "relay.vacuum_failed");
    }
    nextAtMs = startedAtMs + Math.max(pauseMs, restFactor * (nowMs() - startedAtMs));
  };

  const tidy = async (signal: AbortSignal): Promise<void> => {
    clearTimeout(timer);
    if (signal.aborted || count < eventsBetween) {
      return;
    }
    if (nowMs() >= nextAtMs) {
      await vacuum();
      await tidy(signal);
    } else if (Number.isFinite(nextAtMs)) {
      timer = setTimeout(() => void tidy(signal), nextAtMs - nowMs()).unref();
    }
  };

  return (events: number, signal: AbortSignal): void => {
    count += events;
    void tidy(signal);
  };
}
