/**
 * In: wake-ups and time. Out: outbox rows, fanned out in batches.
 * Guarantee: an event stays in the outbox until its deliveries are committed.
 * On crash: another relay, or the next start, continues with the same rows.
 */
import { createWakeup, sleep, type Wakeup } from "../../platform/concurrency/async.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { toError } from "../../platform/errors.ts";
import { maxEventsByRules } from "../ledger/fan-out-by-rules.ts";
import { batchSize, createRunOnce, type BatchDeps, type BatchRun } from "./batches.ts";
import { createRecentKinds, createSubscriptionSet } from "./subscription-rules.ts";
import { createTidyOutbox } from "./tidy-outbox.ts";

export type Relay = {
  /** Reads the subscriptions, so that the first batch need not. */
  prepare(): Promise<void>;
  /** There are new events: ends the idle wait. The words name their kinds. */
  wake(words: readonly string[]): void;
  /** Fans out one batch of each shard. Returns how many events left the outbox. */
  runOnce(): Promise<number>;
  /** Runs until stopped; a stop waits for the current batch. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Runs in place of another relay until stopped. Does not poll while idle, because the other one does.
   * Hands over to it after a fault, and when so much is to be done that other processes should help.
   */
  standIn(signal: AbortSignal, handOver: () => Promise<void>): Promise<void>;
};

const minIdleMs = 20;

/** With `youngMs`, an event waits half a second for a poll. */
const maxIdleMs = 450;

const brokenIdleMs = 500;

/** A poll leaves events of this age to the process that was woken for them, until the next poll. */
const youngMs = 50;

/** Of a relay that does not poll. */
const longWaitMs = 3_600_000;

/**
 * After a batch of this many events the next one waits, so that more share its statements. A single
 * event is never delayed.
 */
const busyCount = 4;

/** A batch of this many gains nothing from more. */
const fullCount = maxEventsByRules;

/**
 * After so many full batches in a row a relay that stands in hands over. One to three often follow a
 * pause of the machine. To hand over then would mean seconds with the other relay and the queue, where
 * an event takes longer.
 */
const handOverAfter = 4;

const maxGatherMs: Record<BatchRun["way"], number> = { byRules: 6, decided: 16 };

/** How long the next batch gathers, in ms: the more events the last one had, the shorter. */
export function gatherMsAfter({ count, way }: BatchRun): number {
  return count < busyCount ? 0 : Math.max(0, maxGatherMs[way] * (1 - count / fullCount));
}

export function createRelay(deps: BatchDeps): Relay {
  const wakeup = createWakeup();
  const subscriptions = createSubscriptionSet();
  const nowMs = (): number => performance.now();
  const recentKinds = createRecentKinds({ ...deps, subscriptions, nowMs });
  const runOnce = createRunOnce(deps, subscriptions, recentKinds);
  const runBatch = createRunBatch(runOnce, createTidyOutbox({ ...deps, nowMs }));

  let mayHaveEvents = true;

  /**
   * How long a poll leaves the first event to others, in ms; undefined if there is none. A cheap read,
   * before a batch takes a lock and a transaction.
   */
  const poll = async (): Promise<number | undefined> => {
    const ageMs = await oldestAgeMs(deps);
    return ageMs === undefined ? undefined : Math.max(0, youngMs - Math.abs(ageMs));
  };

  /** Returns the next idle wait, which doubles while there are no events. */
  const step = async (idleMs: number, signal: AbortSignal): Promise<number> => {
    const isWoken = mayHaveEvents;
    try {
      const leftMs = isWoken ? 0 : await poll();
      if (leftMs !== undefined && leftMs > 0) {
        mayHaveEvents = await wakeup.wait(leftMs, signal);
        return idleMs;
      }
      const count = leftMs === undefined ? 0 : await runBatch(signal);
      mayHaveEvents = count >= batchSize; // a full batch: there are more
      // Nothing, although it was woken: another relay may hold the lock, and not see the event yet.
      const nextIdleMs = count > 0 || isWoken ? minIdleMs : Math.min(idleMs * 2, maxIdleMs);
      // Events that arrived in the meantime have woken the relay: no second poll is needed.
      mayHaveEvents ||= await wakeup.wait(nextIdleMs, signal);
      return nextIdleMs;
    } catch (thrown) {
      deps.log.warn({ reason: toError(thrown).message }, "relay.batch_failed");
      mayHaveEvents = isWoken;
      await wakeup.wait(brokenIdleMs, signal);
      return idleMs;
    }
  };

  return {
    prepare: () => subscriptions.refresh(deps.db),
    wake: (words) => {
      recentKinds.add(words);
      wakeup.wake();
    },
    runOnce: async () => (await runOnce()).count,
    run: async (signal) => {
      let idleMs = minIdleMs;
      while (!signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- batches follow each other by design
        idleMs = await step(idleMs, signal);
      }
    },
    standIn: createStandIn(deps, runBatch, wakeup),
  };
}

/** Fans out a batch, then waits for more if it had several. Returns how many events left the outbox. */
function createRunBatch(
  runOnce: () => Promise<BatchRun>,
  tidy: (events: number, signal: AbortSignal) => void,
): (signal: AbortSignal) => Promise<number> {
  return async (signal) => {
    const batch = await runOnce();
    tidy(batch.count, signal);
    const gatherMs = gatherMsAfter(batch);
    if (gatherMs > 0) {
      await sleep(gatherMs, signal);
    }
    return batch.count;
  };
}

function createStandIn(
  deps: BatchDeps,
  runBatch: (signal: AbortSignal) => Promise<number>,
  wakeup: Wakeup,
): Relay["standIn"] {
  let fullInRow = 0;
  let emptyMs = minIdleMs;
  /** Returns the next wait; undefined to hand over. */
  const step = async (isWoken: boolean, signal: AbortSignal): Promise<number | undefined> => {
    try {
      if (!isWoken && (await oldestAgeMs(deps)) === undefined) {
        fullInRow = 0;
        return longWaitMs;
      }
      const count = await runBatch(signal);
      if (count === 0) {
        // The relay may hold the lock, and not see the event yet. Longer each time, because the row
        // of an event that is missing stays for an hour.
        emptyMs = isWoken ? minIdleMs : Math.min(emptyMs * 2, maxIdleMs);
        return emptyMs;
      }
      fullInRow = count >= fullCount ? fullInRow + 1 : 0;
      if (fullInRow < handOverAfter) {
        return fullInRow > 0 ? 0 : longWaitMs;
      }
      fullInRow -= 1; // the next full batch hands over again, unless a smaller one comes before it
      return undefined;
    } catch (thrown) {
      deps.log.warn({ reason: toError(thrown).message }, "relay.batch_failed");
      return undefined;
    }
  };
  return async (signal, handOver) => {
    let waitMs = longWaitMs;
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- batches follow each other by design
      const isWoken = await wakeup.wait(waitMs, signal);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const nextMs = signal.aborted ? longWaitMs : await step(isWoken, signal);
      // oxlint-disable-next-line no-await-in-loop -- rare
      await (nextMs === undefined ? handOver() : undefined);
      waitMs = nextMs ?? longWaitMs;
    }
  };
}

/** The age of the first event of the outbox; undefined if it is empty. */
async function oldestAgeMs({ db, dispatcher }: BatchDeps): Promise<number | undefined> {
  const sql = "SELECT occurred_at FROM outbox ORDER BY event_row_id LIMIT 1";
  const [oldest] = await preparedRowsOf<{ occurred_at: Date }>(db, sql, []);
  return oldest && dispatcher.limits().now.getTime() - oldest.occurred_at.getTime();
}
