import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import { deliverQueueName, hintJobId, type DeliverHint } from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
import { withTimeout } from "../wait.ts";
import { epochKey, openQueue, openRedis, type OpenedQueue, type QueueBackend } from "./backend.ts";

export type QueueCounts = { waiting: number; active: number; delayed: number; failed: number };

/** The queues of hints, one per object kind, whichever backend holds them. */
export type HintQueue = {
  /**
   * Adds in bulk. `at` is the ledger's time, so that `oldestWaiting` compares with the ledger.
   * Rejects within seconds when the queue's store is away; some of the hints may then be in.
   */
  add(object: ObjectKind, hints: readonly DeliverHint[], at: Date): Promise<void>;
  counts(object: ObjectKind): Promise<QueueCounts>;
  /** When the oldest waiting hint was added, or undefined when none waits. */
  oldestWaiting(object: ObjectKind): Promise<Date | undefined>;
  /** True when the store forgot everything since `markEpoch`. Postgres never does. */
  hasLostMemory(object: ObjectKind): Promise<boolean>;
  markEpoch(object: ObjectKind): Promise<void>;
  close(): Promise<void>;
};

const answerTimeoutMs = 5_000;

const bounded = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(work, answerTimeoutMs, `The queue did not answer within ${answerTimeoutMs} ms`);

const toJob = (hint: DeliverHint, at: Date) => ({
  name: "deliver",
  data: hint,
  opts: { jobId: hintJobId(hint), timestamp: at.getTime() },
});

const closeAll = async (queues: Iterable<OpenedQueue>, redis: Redis | undefined) => {
  const closings = [...queues].map(({ close }) => withTimeout(close(), 3_000, "queue close"));
  await Promise.allSettled(closings);
  redis?.disconnect();
};

/** Opens the producing side. Nothing is sent before the first call. */
export const openHintQueue = (backend: QueueBackend, log: Logger): HintQueue => {
  const redis = backend.kind === "redis" ? openRedis(backend.url) : undefined;
  redis?.on("error", (error: Error) => log.debug({ reason: error.message }, "queue.redis_error"));
  const opened = new Map<ObjectKind, OpenedQueue>();
  for (const object of objectKinds) {
    const one = openQueue(backend, deliverQueueName(object), redis);
    one.queue.on("error", (error) => log.debug({ reason: error.message }, "queue.error"));
    opened.set(object, one);
  }
  const openedOf = (object: ObjectKind): OpenedQueue => {
    const one = opened.get(object);
    if (one === undefined) {
      throw new Error(`No queue for ${object}`);
    }
    return one;
  };
  const queueOf = (object: ObjectKind): Queue => openedOf(object).queue;
  const epochOf = (object: ObjectKind) => epochKey(backend.namespace, deliverQueueName(object));
  return {
    add: async (object, hints, at) => {
      await bounded(queueOf(object).addBulk(hints.map((hint) => toJob(hint, at))));
    },
    counts: async (object) => {
      const counts = await bounded(
        queueOf(object).getJobCounts("waiting", "active", "delayed", "failed"),
      );
      return {
        waiting: counts["waiting"] ?? 0,
        active: counts["active"] ?? 0,
        delayed: counts["delayed"] ?? 0,
        failed: counts["failed"] ?? 0,
      };
    },
    oldestWaiting: async (object) => {
      const job = await bounded(openedOf(object).oldestWaiting());
      return job === undefined ? undefined : new Date(job.timestamp);
    },
    hasLostMemory: async (object) =>
      redis === undefined ? false : (await redis.exists(epochOf(object))) === 0,
    markEpoch: async (object) => {
      await redis?.set(epochOf(object), "1");
    },
    close: () => closeAll(opened.values(), redis),
  };
};
