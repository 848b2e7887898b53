import type { Job } from "bullmq";
import type { DeliverHint, TaskHint, TaskLane } from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
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
};

export type HintWorkersDeps<Hint> = {
  backend: QueueBackend;
  /** Jobs of one queue that are under way at once. */
  concurrency: number;
  handle: (hint: Hint) => Promise<void>;
  log: Logger;
};

const reopenPauseMs = 1_000;

/** Starts a consumer for each of these queues, each as soon as the queue's store is there. */
const startWorkers = <Name extends string, Hint>(
  kind: HintKind<Name, Hint>,
  names: readonly Name[],
  { backend, concurrency, handle, log }: HintWorkersDeps<Hint>,
): HintWorkers => {
  const outage = createOutage(log, "queue.workers");
  const process = (job: Job<Hint>): Promise<void> => handle(job.data);
  const limits = { concurrency, maxConnections: kind.connections.worker };
  const startOne = (name: string): ReopeningWorker =>
    startReopeningWorker({
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
  };
};

/** Consumers of every object kind's queue. */
export const startHintWorkers = (deps: HintWorkersDeps<DeliverHint>): HintWorkers =>
  startWorkers(deliverHints, deliverHints.names, deps);

/** The consumer of one lane's queue. */
export const startTaskConsumer = (lane: TaskLane, deps: HintWorkersDeps<TaskHint>): HintWorkers =>
  startWorkers(taskHints, [lane], deps);
