/**
 * In: the outbox. Out: one batch of each shard, fanned out, and its jobs in the queue.
 * Guarantee: a batch that fails again and again is searched for the row that is the reason.
 * On crash: what was not committed is in the outbox; the sweeper requeues deliveries without a job.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import type { FaultPoint } from "../../contracts/fault-points.ts";
import { mapInOrder } from "../../platform/concurrency/queues.ts";
import { isDataFault } from "../../platform/db/errors.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Dispatcher } from "../ledger/dispatcher.ts";
import { maxEventsByRules, type FannedOut } from "../ledger/fan-out-by-rules.ts";
import { runOneByOne, type RunBatch } from "./dead-letters.ts";
import { fanOut, FanOutError } from "./fan-out.ts";
import { listBusyShards, listShards, type Shard } from "./shards.ts";
import type { RecentKinds, SubscriptionSet } from "./subscription-rules.ts";

export type BatchDeps = {
  db: Db;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  log: Logger;
  /** How many relays can fan out at once; a power of two. */
  shardCount: number;
  faultPoint: FaultPoint;
  onEvents: (objects: readonly ObjectKind[]) => void;
  /** A batch has left deliveries pending, which the next result may let go. */
  onPending: () => void;
};

/** How many events a batch fanned out, and how: in one round trip, or in three. */
export type BatchRun = { count: number; way: "byRules" | "decided" };

/** The most events of a batch. */
export const batchSize = 500;

/** After this many consecutive failures of a batch its rows are fanned out one by one. */
const maxBatchFailures = 3;

/** Fans out one batch of each shard that has events. */
export function createRunOnce(
  deps: BatchDeps,
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
  deps: BatchDeps,
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

function createShardRun(deps: BatchDeps, runBatch: RunBatch): () => Promise<number> {
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

function createBatch(deps: BatchDeps, subscriptions: SubscriptionSet, shard: Shard): RunBatch {
  const { db, dispatcher } = deps;
  return async (limit, afterEventRowId = 0) => {
    const range = { limit, afterEventRowId, shard };
    const result = await fanOut(db, subscriptions, range, dispatcher.limits());
    const { events = [] } = result;
    await finishBatch(deps, { ...result, events });
    return events.length;
  };
}

async function finishBatch(
  { dispatcher, faultPoint, onEvents, onPending }: BatchDeps,
  { events, enqueued, hasPending }: FannedOut,
): Promise<void> {
  if (enqueued.length > 0) {
    faultPoint("relay.afterCommit");
  }
  if (hasPending) {
    onPending();
  }
  await dispatcher.dispatch(enqueued);
  onEvents(events.map((event) => event.object));
}
