/**
 * In: wake-ups and time. Out: outbox rows, fanned out in batches.
 * Guarantee: an event stays in the outbox until its deliveries are committed.
 * On crash: another relay, or the next start, continues with the same rows.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import { createWakeup, sleep, type Wakeup } from "../../platform/concurrency/async.ts";
import { isDataFault } from "../../platform/db/errors.ts";
import type { Db } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { mapInOrder } from "../../platform/concurrency/queues.ts";
import { toError } from "../../platform/errors.ts";
import type { FaultPoint } from "../../contracts/fault-points.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Dispatcher } from "../ledger/dispatcher.ts";
import { maxEventsByRules, type FannedOut } from "../ledger/fan-out-by-rules.ts";
import { runOneByOne, type RunBatch } from "./dead-letters.ts";
import { fanOut, FanOutError } from "./fan-out.ts";
import { listBusyShards, listShards, type Shard } from "./shards.ts";
import {
  createRecentKinds,
  createSubscriptionSet,
  type RecentKinds,
  type SubscriptionSet,
} from "./subscription-rules.ts";

export type RelayDeps = {
  db: Db;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  log: Logger;
  /** How many relays can fan out at once; a power of two. */
  shardCount: number;
  faultPoint: FaultPoint;
  onEvents: (objects: readonly ObjectKind[]) => void;
};

export type Relay = {
  /** There are new events: ends the idle wait. The words name their kinds. */
  wake(words: readonly string[]): void;
  /** Fans out one batch of each shard. Returns how many events left the outbox. */
  runOnce(): Promise<number>;
  /** Runs until stopped; a stop waits for the current batch. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Runs in place of another relay until stopped: only when woken, because the other one polls. Hands
   * over to it after a fault, and when there is so much to do that a process of its own does more.
   */
  standIn(signal: AbortSignal, handOver: () => Promise<void>): Promise<void>;
};

const batchSize = 500;

const minIdleMs = 20;

const maxIdleMs = 500;

const brokenIdleMs = 500;

/** Of a relay that does not poll. */
const longWaitMs = 3_600_000;

/**
 * After a batch of this many events the next one waits, so that more share its statements. A single
 * event is never delayed.
 */
const busyCount = 4;

/** A batch of this many gains nothing from more, and a relay that stands in hands over. */
const fullCount = maxEventsByRules;

/** The longest wait after a batch by rules (one round trip), and after any other batch (three). */
const maxGatherMs = { byRules: 6, decided: 16 };

/** How many events a batch fanned out, and how. */
type BatchRun = { count: number; way: keyof typeof maxGatherMs };

/** How long the next batch gathers, in ms: the more events the last one had, the shorter. */
export function gatherMsAfter({ count, way }: BatchRun): number {
  return count < busyCount ? 0 : Math.max(0, maxGatherMs[way] * (1 - count / fullCount));
}

export function createRelay(deps: RelayDeps): Relay {
  const wakeup = createWakeup();
  const subscriptions = createSubscriptionSet();
  const nowMs = (): number => performance.now();
  const recentKinds = createRecentKinds({ ...deps, subscriptions, nowMs });
  const runOnce = createRunOnce(deps, subscriptions, recentKinds);

  let mayHaveEvents = true;

  /** Without a wake-up, a cheap read precedes the batch, which takes a lock and a transaction. */
  const runIfAny = async (): Promise<BatchRun> =>
    mayHaveEvents || (await hasEvents(deps.db)) ? runOnce() : { count: 0, way: "decided" };

  /** Returns the next idle wait, which doubles while there are no events. */
  const step = async (idleMs: number, signal: AbortSignal): Promise<number> => {
    let nextIdleMs = Math.min(idleMs * 2, maxIdleMs);
    try {
      const batch = await runIfAny();
      if (batch.count >= batchSize) {
        mayHaveEvents = true;
        return minIdleMs; // a full batch: there are more
      }
      await gather(batch, signal);
      // Events that arrived in the meantime have woken the relay: no second poll is needed.
      nextIdleMs = batch.count > 0 ? minIdleMs : nextIdleMs;
    } catch (thrown) {
      deps.log.warn({ reason: toError(thrown).message }, "relay.batch_failed");
      await wakeup.wait(brokenIdleMs, signal);
      return idleMs;
    }
    mayHaveEvents = await wakeup.wait(nextIdleMs, signal);
    return nextIdleMs;
  };

  return {
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
    standIn: createStandIn(deps, runOnce, wakeup),
  };
}

function createStandIn(
  { db, log }: RelayDeps,
  runOnce: () => Promise<BatchRun>,
  wakeup: Wakeup,
): Relay["standIn"] {
  /** Returns the next wait; undefined to hand over. */
  const step = async (isWoken: boolean, signal: AbortSignal): Promise<number | undefined> => {
    try {
      if (!isWoken && !(await hasEvents(db))) {
        return longWaitMs;
      }
      const batch = await runOnce();
      await gather(batch, signal);
      if (batch.count >= fullCount) {
        return undefined;
      }
      // Nothing: the relay may hold the lock, and not see the event yet.
      return batch.count === 0 ? minIdleMs : longWaitMs;
    } catch (thrown) {
      log.warn({ reason: toError(thrown).message }, "relay.batch_failed");
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

/** Waits for more events, if the last batch had several. */
async function gather(batch: BatchRun, signal: AbortSignal): Promise<void> {
  const gatherMs = gatherMsAfter(batch);
  if (gatherMs > 0) {
    await sleep(gatherMs, signal);
  }
}

/** After this many consecutive failures of a batch its rows are fanned out one by one. */
const maxBatchFailures = 3;

function createRunOnce(
  deps: RelayDeps,
  subscriptions: SubscriptionSet,
  recentKinds: RecentKinds,
): () => Promise<BatchRun> {
  const shards = listShards(deps.shardCount);
  const runs = shards.map((shard) => createShardRun(deps, createBatch(deps, subscriptions, shard)));
  const [runWhole] = runs;
  if (runs.length === 1 && runWhole !== undefined) {
    return createWholeRun(deps, recentKinds, runWhole);
  }
  let first = 0;
  return async () => {
    // Begins with another shard each time, so that relays woken together soon take different ones.
    first = (first + 1) % shards.length;
    const turns = [...shards.slice(first), ...shards.slice(0, first)];
    const busy = await listBusyShards(deps.db, turns);
    const count = await runEach(busy.flatMap(({ index }) => runs[index] ?? []));
    return { count, way: "decided" };
  };
}

/** Most batches need no decision; the others are left to `run`. */
function createWholeRun(
  deps: RelayDeps,
  recentKinds: RecentKinds,
  run: () => Promise<number>,
): () => Promise<BatchRun> {
  return async () => {
    const fannedOut = await recentKinds.fanOut(deps.dispatcher.limits());
    if (fannedOut === undefined) {
      return { count: await run(), way: "decided" };
    }
    await finishBatch(deps, fannedOut);
    const count = fannedOut.events.length;
    return { count: count < maxEventsByRules ? count : count + (await run()), way: "byRules" };
  };
}

/** One after the other. A shard that fails does not keep the others waiting. */
async function runEach(runs: readonly (() => Promise<number>)[]): Promise<number> {
  const counts = await mapInOrder(runs, (run) => run().catch(toError));
  const failure = counts.find((one) => one instanceof Error);
  if (failure !== undefined) {
    throw failure;
  }
  return counts.reduce((sum: number, count) => sum + Number(count), 0);
}

function createShardRun(deps: RelayDeps, runBatch: RunBatch): () => Promise<number> {
  let failures = 0;
  return async () => {
    try {
      const isStuck = failures >= maxBatchFailures;
      const count = await (isStuck
        ? runOneByOne(runBatch, { ...deps, maxEvents: batchSize })
        : runBatch(batchSize));
      failures = 0;
      return count;
    } catch (thrown) {
      failures += thrown instanceof FanOutError && isDataFault(thrown.fault) ? 1 : 0;
      throw thrown;
    }
  };
}

function createBatch(deps: RelayDeps, subscriptions: SubscriptionSet, shard: Shard): RunBatch {
  const { db, dispatcher } = deps;
  return async (limit, afterEventRowId = 0) => {
    const range = { limit, afterEventRowId, shard };
    const { events = [], enqueued } = await fanOut(db, subscriptions, range, dispatcher.limits());
    await finishBatch(deps, { events, enqueued });
    return events.length;
  };
}

async function finishBatch(
  { dispatcher, faultPoint, onEvents }: RelayDeps,
  { events, enqueued }: FannedOut,
): Promise<void> {
  if (enqueued.length > 0) {
    faultPoint("relay.afterCommit");
  }
  await dispatcher.dispatch(enqueued);
  onEvents(events.map((event) => event.object));
}

async function hasEvents(db: Db): Promise<boolean> {
  const sql = "SELECT 1 FROM outbox ORDER BY event_row_id LIMIT 1";
  return (await preparedRowsOf(db, sql, [])).length > 0;
}
