import type { Job } from "bullmq";
import type { DeliverJob, TaskJob, TaskQueueName } from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
import { createBulkhead, type Bulkhead } from "../concurrency/bulkhead.ts";
import { withTimeout } from "../concurrency/sleep.ts";
import { openWorker, type QueueBackend } from "./backend.ts";
import { deliverJobs, taskJobs, type JobKind } from "./job-queue.ts";
import { createOutage, startReopeningWorker, type ReopeningWorker } from "./reopening.ts";

export type JobWorkers = {
  /** Takes no more jobs. Running ones continue. */
  pause(): Promise<void>;
  /** Waits for what is under way, at most `graceMs`, then closes the connections. */
  close(graceMs: number): Promise<void>;
  /** Jobs under way in all queues together: those that count, those beside them, those that wait. */
  counts(): { held: number; parked: number; waiting: number };
};

export type JobWorkersDeps<QueueJob> = {
  backend: QueueBackend;
  /** Jobs of one queue that are under way at once. */
  concurrency: number;
  /** Lets jobs that take long go on beside these, so that they hold up no other. */
  overflow?: OverflowOptions;
  handle: (data: QueueJob) => Promise<void>;
  log: Logger;
};

export type OverflowOptions = {
  /** Jobs of one queue that may go on beside those that count. */
  capacity: number;
  /** How long a job counts. */
  afterMs: number;
};

/** Starts a consumer for the queue of every object kind. */
export function startJobWorkers(deps: JobWorkersDeps<DeliverJob>): JobWorkers {
  return startWorkers(deliverJobs, deliverJobs.names, deps);
}

/** Starts the consumer of one task queue. */
export function startTaskConsumer(
  queueName: TaskQueueName,
  deps: JobWorkersDeps<TaskJob>,
): JobWorkers {
  return startWorkers(taskJobs, [queueName], deps);
}

const reopenPauseMs = 1_000;

/** Starts one consumer per queue, each as soon as its store is available. */
function startWorkers<Name extends string, QueueJob>(
  kind: JobKind<Name, QueueJob>,
  names: readonly Name[],
  deps: JobWorkersDeps<QueueJob>,
): JobWorkers {
  const { backend, concurrency, handle, log, overflow } = deps;
  const outage = createOutage(log, "queue.workers");
  const limits = {
    concurrency: concurrency + (overflow?.capacity ?? 0),
    maxConnections: kind.connections.worker,
  };
  const bulkheads: Bulkhead[] = [];
  const processorOf = (): ((job: Job<QueueJob>) => Promise<void>) => {
    if (overflow === undefined) {
      return (job) => handle(job.data);
    }
    const places = createBulkhead({ capacity: concurrency, overflowAfterMs: overflow.afterMs });
    bulkheads.push(places);
    return (job) => places.run(() => handle(job.data));
  };
  const startOne = (name: string): ReopeningWorker => {
    const process = processorOf();
    return startReopeningWorker({
      name,
      outage,
      log,
      pauseMs: reopenPauseMs,
      open: () => {
        const opened = openWorker(backend, name, limits, process);
        opened.worker.on("error", (error) =>
          log.debug({ queue: name, reason: error.message }, "queue.worker_error"),
        );
        return opened;
      },
    });
  };
  const workers = names.map((name) => startOne(kind.queueName(name)));
  return {
    pause: async () => {
      await Promise.allSettled(
        workers.map((worker) => withTimeout(worker.pause(), 2_000, "pause")),
      );
    },
    close: async (graceMs) => {
      await Promise.all(workers.map((worker) => worker.close(graceMs)));
    },
    counts: () => sumOf(bulkheads.map((places) => places.counts())),
  };
}

type WorkerCounts = ReturnType<Bulkhead["counts"]>;

function sumOf(counts: readonly WorkerCounts[]): WorkerCounts {
  return counts.reduce(
    (sum, one) => ({
      held: sum.held + one.held,
      parked: sum.parked + one.parked,
      waiting: sum.waiting + one.waiting,
    }),
    { held: 0, parked: 0, waiting: 0 },
  );
}
