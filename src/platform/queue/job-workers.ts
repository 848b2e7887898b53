import type { Job, Processor, Worker } from "bullmq";
import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import {
  deliveriesOf,
  type DeliverJob,
  type TaskJob,
  type TaskQueueName,
} from "../../contracts/jobs.ts";
import { withTimeout } from "../concurrency/async.ts";
import { createBulkhead, type Bulkhead, type SlotWait } from "../concurrency/bulkhead.ts";
import { createRunningWork } from "../concurrency/running-work.ts";
import type { Logger } from "../logger.ts";
import { createDirectRuns } from "./direct-runs.ts";
import { deliverJobs, taskJobs, type JobKind, type QueueBackend } from "./job-queue.ts";
import { openPostgresWorker } from "./postgres.ts";
import { openRedisWorker } from "./redis.ts";
import {
  createOutage,
  startReopeningWorker,
  type OpenableWorker,
  type ReopeningWorker,
} from "./reopening.ts";

export type JobWorkers = {
  /** Takes no more jobs. Running ones continue. */
  pause(): Promise<void>;
  /** Waits for what runs, at most `graceMs`, then closes the connections. */
  close(graceMs: number): Promise<void>;
};

/** Workers whose jobs share slots with work that needs no job. */
export type DeliveryWorkers = JobWorkers & {
  /** Free slots of this queue in this process; undefined if jobs wait for one, or it takes no more. */
  freeSlots(object: ObjectKind): number | undefined;
  /**
   * Runs work without a job in a slot of this queue. Only a few calls start per turn of the event
   * loop. The caller bounds how much.
   */
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

export type DeliveryWorkersDeps = Omit<JobWorkersDeps<DeliverJob>, "handle"> & {
  handle: (delivery: DeliverJob, object: ObjectKind) => Promise<void>;
  /** Moves slow jobs out of their slots, so that they do not block others. */
  overflow?: OverflowOptions;
  /** Returns a delivery of a shared job to the ledger. Without it, it waits for a slot. */
  giveBack?: (delivery: DeliverJob) => Promise<void>;
};

/**
 * How long the deliveries of a shared job wait for a slot. They are no longer in the queue, so
 * after longer the sweeper would take them for lost, and another process may have slots.
 */
const maxWaitMs = 1_000;

/** The longest interval of a timer: jobs keep their slots. */
const noOverflow: OverflowOptions = { capacity: 0, afterMs: 2 ** 31 - 1 };

/** Starts a consumer for the queue of every object kind. */
export function startJobWorkers(deps: DeliveryWorkersDeps): DeliveryWorkers {
  const { concurrency, overflow = noOverflow } = deps;
  const most = concurrency + overflow.capacity;
  const slots = new Map(
    objectKinds.map((object): [ObjectKind, Bulkhead] => [
      object,
      createBulkhead({ capacity: concurrency, most, overflowAfterMs: overflow.afterMs }),
    ]),
  );
  const runIn = (
    object: ObjectKind,
    work: () => Promise<void>,
    patience?: SlotWait,
  ): Promise<void> => slots.get(object)?.run(work, patience) ?? work();
  const patienceFor = (job: DeliverJob, one: DeliverJob): SlotWait | undefined => {
    const { giveBack } = deps;
    return job.more === undefined || giveBack === undefined
      ? undefined
      : { maxWaitMs, giveUp: () => giveBack(one) };
  };
  let isPaused = false;
  /** Fails a job whose deliveries got no slot before the stop: another process takes it soon. */
  const handle: DeliveryWorkersDeps["handle"] = async (...delivery) => {
    if (isPaused) {
      throw new Error("The process stops");
    }
    await deps.handle(...delivery);
  };
  const workers = startWorkers(deliverJobs, objectKinds, {
    ...deps,
    concurrency: most,
    handle: (object, job) => {
      const run = (one: DeliverJob) =>
        runIn(object, () => handle(one, object), patienceFor(job, one));
      return runAll(deliveriesOf(job).map(run));
    },
  });
  const direct = createDirectRuns({
    ...{ most, runIn, log: deps.log },
    limitJobs: (object, count) => workers.limit(object, count),
  });
  return {
    pause: () => {
      isPaused = true;
      return workers.pause();
    },
    close: async (graceMs) => {
      const endsAtMs = performance.now() + graceMs;
      await workers.close(graceMs);
      const restMs = Math.max(0, endsAtMs - performance.now());
      await withTimeout(direct.drain(), restMs, "grace").catch(() => undefined);
    },
    freeSlots: (object) => {
      const counts = slots.get(object)?.counts();
      if (isPaused || counts === undefined || counts.waiting > 0) {
        return undefined;
      }
      const { held, inOverflow } = counts;
      // One place is for a job that is being fetched.
      const left = Math.min(most - held - inOverflow - 1, direct.left(object));
      return left > 0 ? Math.min(concurrency - held, left) : undefined;
    },
    run: direct.run,
    counts: () => sumOf([...slots.values()].map((places) => places.counts())),
  };
}

/**
 * Takes no more jobs, waits for running ones and closes the connections, all within `graceMs`. Returns
 * how much of it is left.
 */
export async function stopWorkers(workers: JobWorkers, graceMs: number): Promise<number> {
  const endsAtMs = performance.now() + graceMs;
  const leftMs = (): number => Math.max(0, endsAtMs - performance.now());
  await workers.pause();
  await workers.close(leftMs());
  return leftMs();
}

/** Waits for all, even if some fail; then fails as the first of these. */
async function runAll(running: readonly Promise<void>[]): Promise<void> {
  const [only] = running;
  if (only !== undefined && running.length === 1) {
    return only;
  }
  await Promise.allSettled(running);
  await Promise.all(running);
}

/** Starts the consumer of one task queue. */
export function startTaskConsumer(
  queueName: TaskQueueName,
  deps: JobWorkersDeps<TaskJob>,
): JobWorkers {
  return startWorkers(taskJobs, [queueName], { ...deps, handle: (_, job) => deps.handle(job) });
}

const workerReopenPauseMs = 1_000;

type LimitedWorkers<Name> = JobWorkers & {
  /** Changes how many jobs of a queue run at the same time; those that run continue. */
  limit(name: Name, concurrency: number): void;
};

/** Starts one consumer per queue, each as soon as its store is available. */
function startWorkers<Name extends string, QueueJob>(
  kind: JobKind<Name, QueueJob>,
  names: readonly Name[],
  deps: Omit<JobWorkersDeps<QueueJob>, "handle"> & {
    handle: (name: Name, job: QueueJob) => Promise<void>;
  },
): LimitedWorkers<Name> {
  const { backend, handle, log } = deps;
  const outage = createOutage(log, "queue.workers");
  const { worker: maxConnections } = kind.connections;
  const startOne = (of: Name): ReopeningWorker & { limit: (concurrency: number) => void } => {
    const name = kind.queueName(of);
    const process = (job: Job<QueueJob>) => handle(of, job.data);
    let { concurrency } = deps;
    let current: Worker | undefined;
    const reopening = startReopeningWorker({
      name,
      outage,
      log,
      pauseMs: workerReopenPauseMs,
      open: () => {
        const opened = openWorker(backend, name, { concurrency, maxConnections }, process);
        current = opened.worker;
        opened.worker.on("error", (error) =>
          log.debug({ queue: name, reason: error.message }, "queue.worker_error"),
        );
        return opened;
      },
    });
    const limit = (most: number): void => {
      concurrency = most;
      if (current !== undefined) {
        current.concurrency = most;
      }
    };
    return { ...reopening, limit };
  };
  const workers = new Map(names.map((name) => [name, startOne(name)]));
  const all = [...workers.values()];
  return {
    limit: (name, concurrency) => workers.get(name)?.limit(concurrency),
    pause: async () => {
      await Promise.allSettled(all.map((worker) => withTimeout(worker.pause(), 2_000, "pause")));
    },
    close: async (graceMs) => {
      await Promise.all(all.map((worker) => worker.close(graceMs)));
    },
  };
}

/**
 * The ledger's leases detect dead workers, so BullMQ's own stall limit never applies. A new job
 * wakes a worker immediately; `drainDelay` (seconds) is for lost wake-ups, and each of ten workers
 * makes four calls to the store whenever it elapses.
 */
const workerOptions = {
  maxStalledCount: 25,
  lockDuration: 60_000,
  stalledInterval: 20_000,
  drainDelay: 5,
  runRetryDelay: 1_000,
  autorun: false,
} as const;

export function openWorker(
  backend: QueueBackend,
  name: string,
  { concurrency, maxConnections }: { concurrency: number; maxConnections: number },
  processor: Processor,
): OpenableWorker & { worker: Worker } {
  const options = { ...workerOptions, concurrency };
  const jobs = createRunningWork();
  const tracked: Processor = (job, token) => jobs.track(processor(job, token));
  const opened =
    backend.kind === "postgres"
      ? openPostgresWorker(backend, name, { ...options, maxConnections }, tracked)
      : openRedisWorker(backend, name, options, tracked);
  return { ...opened, jobsEnded: jobs.drain };
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
