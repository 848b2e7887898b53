import type { Job } from "bullmq";
import type { DeliverHint, TaskHint, TaskLane } from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
import { createPlaces, type Places } from "../places.ts";
import { withTimeout } from "../wait.ts";
import { openWorker, type QueueBackend } from "./backend.ts";
import { deliverHints, taskHints, type HintKind } from "./hint-kind.ts";
import { createOutage } from "./outage.ts";
import { startReopeningWorker, type ReopeningWorker } from "./reopening-worker.ts";

export type HintWorkers = {
  /** Takes no further hint. What is under way goes on. */
  pause(): Promise<void>;
  /** Waits for what is under way, at most `graceMs`, then closes the connections. */
  close(graceMs: number): Promise<void>;
  /** Jobs under way in all queues together: those that count, those beside them, those that wait. */
  counts(): { held: number; parked: number; waiting: number };
};

export type HintWorkersDeps<Hint> = {
  backend: QueueBackend;
  /** Jobs of one queue that are under way at once. */
  concurrency: number;
  /** Lets jobs that take long go on beside these, so that they hold up no other. */
  parking?: Parking;
  handle: (hint: Hint) => Promise<void>;
  log: Logger;
};

export type Parking = {
  /** Jobs of one queue that may go on beside those that count. */
  most: number;
  /** How long a job counts. */
  afterMs: number;
};

/** Consumers of every object kind's queue. */
export function startHintWorkers(deps: HintWorkersDeps<DeliverHint>): HintWorkers {
  return startWorkers(deliverHints, deliverHints.names, deps);
}

/** The consumer of one lane's queue. */
export function startTaskConsumer(lane: TaskLane, deps: HintWorkersDeps<TaskHint>): HintWorkers {
  return startWorkers(taskHints, [lane], deps);
}

const reopenPauseMs = 1_000;

/** Starts a consumer for each of these queues, each as soon as the queue's store is there. */
function startWorkers<Name extends string, Hint>(
  kind: HintKind<Name, Hint>,
  names: readonly Name[],
  deps: HintWorkersDeps<Hint>,
): HintWorkers {
  const { backend, concurrency, handle, log, parking } = deps;
  const outage = createOutage(log, "queue.workers");
  const limits = {
    concurrency: concurrency + (parking?.most ?? 0),
    maxConnections: kind.connections.worker,
  };
  const allPlaces: Places[] = [];
  const processorOf = (): ((job: Job<Hint>) => Promise<void>) => {
    if (parking === undefined) {
      return (job) => handle(job.data);
    }
    const places = createPlaces({ most: concurrency, parkAfterMs: parking.afterMs });
    allPlaces.push(places);
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
    counts: () => sumOf(allPlaces.map((places) => places.counts())),
  };
}

type Counts = ReturnType<Places["counts"]>;

function sumOf(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (sum, one) => ({
      held: sum.held + one.held,
      parked: sum.parked + one.parked,
      waiting: sum.waiting + one.waiting,
    }),
    { held: 0, parked: 0, waiting: 0 },
  );
}
