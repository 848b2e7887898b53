import type { Job, Queue } from "bullmq";
import { type ObjectKind, objectKinds } from "../../contracts/events.ts";
import {
  type DeliverJob,
  type TaskJob,
  type TaskQueueName,
  deliverQueueName,
  deliverJobId,
  taskJobId,
  taskQueueNames,
  taskJobQueueName,
} from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
import { openPostgresQueue, type PostgresQueues } from "./postgres.ts";
import {
  epochKey,
  openRedis,
  openRedisQueue,
  sendTogether,
  type RedisClient,
  type RedisQueues,
} from "./redis.ts";
import {
  createOutage,
  createReopeningQueue,
  type Outage,
  type ReopeningQueue,
} from "./reopening.ts";

/** Where BullMQ stores its jobs. `namespace` separates installations on the same server. */
export type QueueBackend = RedisQueues | PostgresQueues;

export type QueueCounts = { waiting: number; active: number; delayed: number; failed: number };

/**
 * The queues of one kind of job, on either backend. Calls reject while the store is unavailable,
 * and work again without a restart.
 */
export type JobQueues<Name extends string, QueueJob> = {
  /**
   * Adds jobs in bulk. `at` is the ledger's time, so that `oldestWaiting` compares with the ledger.
   * Rejects within seconds if the store is unavailable; some jobs may then be added.
   */
  add(name: Name, items: readonly QueueJob[], at: Date): Promise<void>;
  counts(name: Name): Promise<QueueCounts>;
  /** Rejects if the store does not answer. Costs the same however many jobs wait. */
  probe(name: Name): Promise<void>;
  /** When the oldest waiting job was added; undefined if none waits. */
  oldestWaiting(name: Name): Promise<Date | undefined>;
  /**
   * Removes jobs that failed longer than `keptMs` ago, some thousands at most: BullMQ removes them only
   * when another job of the queue fails. Returns how many.
   */
  removeFailed(name: Name, keptMs: number): Promise<number>;
  /** Number of processes that consume this queue. */
  workers(name: Name): Promise<number>;
  /** Whether the store has lost all data since `markEpoch`. Postgres never does. */
  hasLostMemory(name: Name): Promise<boolean>;
  markEpoch(name: Name): Promise<void>;
  close(): Promise<void>;
};

/** One queue per object kind. */
export type JobQueue = JobQueues<ObjectKind, DeliverJob>;

/** One queue per kind of task. */
export type TaskJobQueue = JobQueues<TaskQueueName, TaskJob>;

/** A family of queues with the same job data. */
export type JobKind<Name extends string, QueueJob> = Readonly<{
  jobName: string;
  names: readonly Name[];
  queueName: (name: Name) => string;
  jobId: (job: QueueJob) => string;
  /** Connections per queue, if Postgres stores the queue. */
  connections: Readonly<{ queue: number; worker: number }>;
}>;

export const deliverJobs: JobKind<ObjectKind, DeliverJob> = {
  jobName: "deliver",
  names: objectKinds,
  queueName: deliverQueueName,
  jobId: deliverJobId,
  connections: { queue: 2, worker: 4 },
};

/** Tasks are far fewer than deliveries, so fewer connections are enough. */
export const taskJobs: JobKind<TaskQueueName, TaskJob> = {
  jobName: "task",
  names: taskQueueNames,
  queueName: taskJobQueueName,
  jobId: taskJobId,
  connections: { queue: 1, worker: 2 },
};

export function openJobQueue(backend: QueueBackend, log: Logger): JobQueue {
  return openJobQueues(deliverJobs, backend, log);
}

export function openTaskJobQueue(backend: QueueBackend, log: Logger): TaskJobQueue {
  return openJobQueues(taskJobs, backend, log);
}

/** Opens the producers. On Postgres no connection is made before the first call. */
function openJobQueues<Name extends string, QueueJob>(
  kind: JobKind<Name, QueueJob>,
  backend: QueueBackend,
  log: Logger,
): JobQueues<Name, QueueJob> {
  const redis = backend.kind !== "postgres" ? openRedis(backend) : undefined;
  redis?.on("error", (error: Error) => log.debug({ reason: error.message }, "queue.redis_error"));
  const queues = openAll(kind, backend, redis, log);
  const queueOf = (name: Name): ReopeningQueue<OpenedQueue> => {
    const one = queues.get(name);
    if (one === undefined) {
      throw new Error(`No queue for ${name}`);
    }
    return one;
  };
  const toJob = (data: QueueJob, at: Date) => ({
    name: kind.jobName,
    data: data,
    opts: { jobId: kind.jobId(data), timestamp: at.getTime() },
  });
  const epochOf = (name: Name) => epochKey(backend.namespace, kind.queueName(name));
  return {
    add: async (name, items, at) => {
      const jobs = items.map((data) => toJob(data, at));
      const [first] = jobs;
      // A bulk is a Redis transaction, which costs several times as much as one command.
      await queueOf(name).call<unknown>(({ queue }) =>
        first !== undefined && jobs.length === 1
          ? queue.add(first.name, first.data, first.opts)
          : queue.addBulk(jobs),
      );
    },
    counts: async (name) =>
      countsOf(
        await queueOf(name).call(({ queue }) =>
          queue.getJobCounts("waiting", "active", "delayed", "failed"),
        ),
      ),
    probe: async (name) => {
      await queueOf(name).call(({ queue }) => queue.isPaused());
    },
    oldestWaiting: async (name) => {
      const job = await queueOf(name).call(({ oldestWaiting }) => oldestWaiting());
      return job === undefined ? undefined : new Date(job.timestamp);
    },
    removeFailed: async (name, keptMs) => {
      const removed = await queueOf(name).call(({ queue }) =>
        queue.clean(keptMs, mostRemoved, "failed"),
      );
      return removed.length;
    },
    workers: (name) => queueOf(name).call(({ queue }) => queue.getWorkersCount()),
    hasLostMemory: async (name) => {
      if (redis === undefined) {
        return false;
      }
      sendTogether(redis); // the sweeper asks for all queues at once
      return (await redis.exists(epochOf(name))) === 0;
    },
    markEpoch: async (name) => {
      await redis?.set(epochOf(name), "1");
    },
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      redis?.disconnect();
    },
  };
}

type OpenedQueue = {
  queue: Queue;
  /** The oldest waiting job. */
  oldestWaiting: () => Promise<Job | undefined>;
  close: () => Promise<void>;
};

/** How long failed jobs are kept for operators. */
export const failedKeptMs = 3_600_000;

/** Per call: Redis does nothing else meanwhile. */
const mostRemoved = 5_000;

/** BullMQ's retries are for our own errors only, never for a receiver's. */
const queueOptions = {
  defaultJobOptions: {
    attempts: 3,
    backoff: { type: "fixed", delay: 2_000 },
    removeOnComplete: true,
    removeOnFail: { age: failedKeptMs / 1_000 },
  },
  skipMetasUpdate: true,
} as const;

/** `redis` is the connection of all queues; on Postgres, each has its own. */
export function openQueue(
  backend: QueueBackend,
  name: string,
  { redis, maxConnections }: { redis: RedisClient | undefined; maxConnections: number },
): OpenedQueue {
  return backend.kind === "postgres"
    ? openPostgresQueue(backend, name, { ...queueOptions, maxConnections })
    : openRedisQueue(backend, name, { ...queueOptions, connection: redis ?? openRedis(backend) });
}

const answerTimeoutMs = 5_000;

const queueReopenPauseMs = 1_000;

function openAll<Name extends string, QueueJob>(
  kind: JobKind<Name, QueueJob>,
  backend: QueueBackend,
  redis: RedisClient | undefined,
  log: Logger,
) {
  const outage = createOutage(log, "queue.store");
  const openOne = (name: string): ReopeningQueue<OpenedQueue> => {
    const explained = explainOutage(outage);
    return createReopeningQueue({
      name,
      outage: explained,
      pauseMs: queueReopenPauseMs,
      timeoutMs: answerTimeoutMs,
      open: () => {
        const opened = openQueue(backend, name, {
          redis,
          maxConnections: kind.connections.queue,
        });
        opened.queue.on("error", (error) => {
          explained.saw(error);
          log.debug({ reason: error.message }, "queue.error");
        });
        return opened;
      },
    });
  };
  return new Map(kind.names.map((name) => [name, openOne(kind.queueName(name))]));
}

/**
 * While the client cannot connect or sign in, a call only ends with a time-out. The client reports
 * the cause as an event.
 */
function explainOutage(outage: Outage): Outage & { saw(error: Error): void } {
  let last: Error | undefined;
  return {
    saw: (error) => {
      last = error;
    },
    began: (queue, reason) => {
      const isKnown = last === undefined || last.message === reason.message;
      outage.began(queue, isKnown ? reason : new Error(`${reason.message}: ${last?.message}`));
    },
    ended: (queue) => {
      last = undefined;
      outage.ended(queue);
    },
  };
}

function countsOf(counts: Record<string, number>): QueueCounts {
  return {
    waiting: counts["waiting"] ?? 0,
    active: counts["active"] ?? 0,
    delayed: counts["delayed"] ?? 0,
    failed: counts["failed"] ?? 0,
  };
}
