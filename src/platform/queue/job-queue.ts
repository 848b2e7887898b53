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
import { epochKey, openQueue, type OpenedQueue, type QueueBackend, openWorker } from "./backend.ts";
import { openRedis, type RedisClient } from "./redis.ts";
import {
  createOutage,
  createReopeningQueue,
  type ReopeningQueue,
  startReopeningWorker,
  type ReopeningWorker,
} from "./reopening.ts";
import type { Job } from "bullmq";
import { createBulkhead, type Bulkhead } from "../concurrency/bulkhead.ts";
import { withTimeout } from "../concurrency/async.ts";
import { toError } from "../errors.ts";

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
  /** When the oldest waiting job was added; undefined if none waits. */
  oldestWaiting(name: Name): Promise<Date | undefined>;
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

const deliverJobs: JobKind<ObjectKind, DeliverJob> = {
  jobName: "deliver",
  names: objectKinds,
  queueName: deliverQueueName,
  jobId: deliverJobId,
  connections: { queue: 2, worker: 4 },
};

/** Tasks are far fewer than deliveries, so fewer connections are enough. */
const taskJobs: JobKind<TaskQueueName, TaskJob> = {
  jobName: "task",
  names: taskQueueNames,
  queueName: taskJobQueueName,
  jobId: taskJobId,
  connections: { queue: 1, worker: 2 },
};

export type JobWorkers = {
  /** Takes no more jobs. Running ones continue. */
  pause(): Promise<void>;
  /** Waits for what runs, at most `graceMs`, then closes the connections. */
  close(graceMs: number): Promise<void>;
};

/** Workers whose jobs share slots with work that needs no job. */
export type DeliveryWorkers = JobWorkers & {
  /** Whether this process takes jobs, and none of this queue waits for a slot in it. */
  hasRoom(object: ObjectKind): boolean;
  /** Runs work without a job in a slot of this queue. The caller bounds how much. */
  run(object: ObjectKind, work: () => Promise<void>): void;
  /** Jobs in all queues together: in a slot, in the overflow, and waiting for a slot. */
  counts(): { held: number; inOverflow: number; waiting: number };
};

export type JobWorkersDeps<QueueJob> = {
  backend: QueueBackend;
  /** Concurrent jobs per queue. */
  concurrency: number;
  handle: (data: QueueJob) => Promise<void>;
  log: Logger;
};

export type OverflowOptions = {
  /** Maximum jobs in the overflow of a queue. */
  capacity: number;
  /** How long a job keeps its slot. */
  afterMs: number;
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
    oldestWaiting: async (name) => {
      const job = await queueOf(name).call(({ oldestWaiting }) => oldestWaiting());
      return job === undefined ? undefined : new Date(job.timestamp);
    },
    workers: (name) => queueOf(name).call(({ queue }) => queue.getWorkersCount()),
    hasLostMemory: async (name) =>
      redis === undefined ? false : (await redis.exists(epochOf(name))) === 0,
    markEpoch: async (name) => {
      await redis?.set(epochOf(name), "1");
    },
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      redis?.disconnect();
    },
  };
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
  const openOne = (name: string): ReopeningQueue<OpenedQueue> =>
    createReopeningQueue({
      name,
      outage,
      pauseMs: queueReopenPauseMs,
      timeoutMs: answerTimeoutMs,
      open: () => {
        const opened = openQueue(backend, name, {
          redis,
          maxConnections: kind.connections.queue,
        });
        opened.queue.on("error", (error) => log.debug({ reason: error.message }, "queue.error"));
        return opened;
      },
    });
  return new Map(kind.names.map((name) => [name, openOne(kind.queueName(name))]));
}

function countsOf(counts: Record<string, number>): QueueCounts {
  return {
    waiting: counts["waiting"] ?? 0,
    active: counts["active"] ?? 0,
    delayed: counts["delayed"] ?? 0,
    failed: counts["failed"] ?? 0,
  };
}

export type DeliveryWorkersDeps = JobWorkersDeps<DeliverJob> & {
  /** Moves slow jobs out of their slots, so that they do not block others. */
  overflow?: OverflowOptions;
};

/** The longest interval of a timer: jobs keep their slots. */
const noOverflow: OverflowOptions = { capacity: 0, afterMs: 2 ** 31 - 1 };

/** Starts a consumer for the queue of every object kind. */
export function startJobWorkers(deps: DeliveryWorkersDeps): DeliveryWorkers {
  const { concurrency, overflow = noOverflow } = deps;
  const most = concurrency + overflow.capacity;
  const slots = new Map(
    objectKinds.map((object): [ObjectKind, Bulkhead] => [
      object,
      createBulkhead({ capacity: concurrency, overflowAfterMs: overflow.afterMs }),
    ]),
  );
  const workers = startWorkers(deliverJobs, objectKinds, {
    ...deps,
    concurrency: most,
    runIn: (object, work) => slots.get(object)?.run(work) ?? work(),
  });
  const running = new Set<Promise<void>>();
  let isPaused = false;
  return {
    pause: () => {
      isPaused = true;
      return workers.pause();
    },
    close: async (graceMs) => {
      const rest = Promise.allSettled(running);
      await Promise.all([
        workers.close(graceMs),
        withTimeout(rest, graceMs, "grace").catch(() => undefined),
      ]);
    },
    hasRoom: (object) => {
      const counts = slots.get(object)?.counts();
      return (
        !isPaused &&
        counts !== undefined &&
        counts.waiting === 0 &&
        counts.held + counts.inOverflow < most
      );
    },
    run: (object, work) => {
      const one = (slots.get(object)?.run(work) ?? work())
        .catch((thrown: unknown) =>
          deps.log.warn({ object, reason: toError(thrown).message }, "queue.work_failed"),
        )
        .finally(() => running.delete(one));
      running.add(one);
    },
    counts: () => sumOf([...slots.values()].map((places) => places.counts())),
  };
}

/** Starts the consumer of one task queue. */
export function startTaskConsumer(
  queueName: TaskQueueName,
  deps: JobWorkersDeps<TaskJob>,
): JobWorkers {
  return startWorkers(taskJobs, [queueName], { ...deps, runIn: (_, work) => work() });
}

const workerReopenPauseMs = 1_000;

/** Starts one consumer per queue, each as soon as its store is available. */
function startWorkers<Name extends string, QueueJob>(
  kind: JobKind<Name, QueueJob>,
  names: readonly Name[],
  deps: JobWorkersDeps<QueueJob> & {
    runIn: (name: Name, work: () => Promise<void>) => Promise<void>;
  },
): JobWorkers {
  const { backend, concurrency, handle, log, runIn } = deps;
  const outage = createOutage(log, "queue.workers");
  const limits = { concurrency, maxConnections: kind.connections.worker };
  const startOne = (of: Name): ReopeningWorker => {
    const name = kind.queueName(of);
    const process = (job: Job<QueueJob>) => runIn(of, () => handle(job.data));
    return startReopeningWorker({
      name,
      outage,
      log,
      pauseMs: workerReopenPauseMs,
      open: () => {
        const opened = openWorker(backend, name, limits, process);
        opened.worker.on("error", (error) =>
          log.debug({ queue: name, reason: error.message }, "queue.worker_error"),
        );
        return opened;
      },
    });
  };
  const workers = names.map(startOne);
  return {
    pause: async () => {
      await Promise.allSettled(
        workers.map((worker) => withTimeout(worker.pause(), 2_000, "pause")),
      );
    },
    close: async (graceMs) => {
      await Promise.all(workers.map((worker) => worker.close(graceMs)));
    },
  };
}

type WorkerCounts = ReturnType<Bulkhead["counts"]>;

function sumOf(counts: readonly WorkerCounts[]): WorkerCounts {
  return counts.reduce(
    (sum, one) => ({
      held: sum.held + one.held,
      inOverflow: sum.inOverflow + one.inOverflow,
      waiting: sum.waiting + one.waiting,
    }),
    { held: 0, inOverflow: 0, waiting: 0 },
  );
}
