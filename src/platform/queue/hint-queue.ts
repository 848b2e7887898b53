import type { Redis } from "ioredis";
import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import { deliverQueueName, hintJobId, type DeliverHint } from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
import { epochKey, openQueue, openRedis, type OpenedQueue, type QueueBackend } from "./backend.ts";
import { createOutage } from "./outage.ts";
import { createReopeningQueue, type ReopeningQueue } from "./reopening-queue.ts";

export type QueueCounts = { waiting: number; active: number; delayed: number; failed: number };

/**
 * The queues of hints, one per object kind, whichever backend holds them. While its store is away
 * a queue's calls reject, and they work again by themselves when it is back.
 */
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
const reopenPauseMs = 1_000;

const toJob = (hint: DeliverHint, at: Date) => ({
  name: "deliver",
  data: hint,
  opts: { jobId: hintJobId(hint), timestamp: at.getTime() },
});

const openAll = (backend: QueueBackend, redis: Redis | undefined, log: Logger) => {
  const outage = createOutage(log, "queue.store");
  const openOne = (name: string): ReopeningQueue<OpenedQueue> =>
    createReopeningQueue({
      name,
      outage,
      pauseMs: reopenPauseMs,
      timeoutMs: answerTimeoutMs,
      open: () => {
        const opened = openQueue(backend, name, redis);
        opened.queue.on("error", (error) => log.debug({ reason: error.message }, "queue.error"));
        return opened;
      },
    });
  return new Map(objectKinds.map((object) => [object, openOne(deliverQueueName(object))]));
};

/** Opens the producing side. On Postgres nothing is sent before the first call. */
export const openHintQueue = (backend: QueueBackend, log: Logger): HintQueue => {
  const redis = backend.kind === "redis" ? openRedis(backend.url) : undefined;
  redis?.on("error", (error: Error) => log.debug({ reason: error.message }, "queue.redis_error"));
  const queues = openAll(backend, redis, log);
  const queueOf = (object: ObjectKind): ReopeningQueue<OpenedQueue> => {
    const one = queues.get(object);
    if (one === undefined) {
      throw new Error(`No queue for ${object}`);
    }
    return one;
  };
  const epochOf = (object: ObjectKind) => epochKey(backend.namespace, deliverQueueName(object));
  return {
    add: async (object, hints, at) => {
      const jobs = hints.map((hint) => toJob(hint, at));
      await queueOf(object).call(({ queue }) => queue.addBulk(jobs));
    },
    counts: async (object) => {
      const counts = await queueOf(object).call(({ queue }) =>
        queue.getJobCounts("waiting", "active", "delayed", "failed"),
      );
      return {
        waiting: counts["waiting"] ?? 0,
        active: counts["active"] ?? 0,
        delayed: counts["delayed"] ?? 0,
        failed: counts["failed"] ?? 0,
      };
    },
    oldestWaiting: async (object) => {
      const job = await queueOf(object).call(({ oldestWaiting }) => oldestWaiting());
      return job === undefined ? undefined : new Date(job.timestamp);
    },
    hasLostMemory: async (object) =>
      redis === undefined ? false : (await redis.exists(epochOf(object))) === 0,
    markEpoch: async (object) => {
      await redis?.set(epochOf(object), "1");
    },
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      redis?.disconnect();
    },
  };
};
