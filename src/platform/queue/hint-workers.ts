import type { Job } from "bullmq";
import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import { deliverQueueName, type DeliverHint } from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
import { withTimeout } from "../wait.ts";
import { openWorker, type QueueBackend } from "./backend.ts";
import { createOutage, type Outage } from "./outage.ts";
import { startReopeningWorker, type ReopeningWorker } from "./reopening-worker.ts";

export type HintWorkers = {
  /** Takes no further hint. What is under way goes on. */
  pause(): Promise<void>;
  /** Waits for what is under way, at most `graceMs`, then closes the connections. */
  close(graceMs: number): Promise<void>;
};

export type HintWorkersDeps = {
  backend: QueueBackend;
  /** Jobs of one object kind that are under way at once. */
  concurrency: number;
  handle: (hint: DeliverHint) => Promise<void>;
  log: Logger;
};

const reopenPauseMs = 1_000;

const startOne = (deps: HintWorkersDeps, outage: Outage, object: ObjectKind): ReopeningWorker => {
  const { backend, concurrency, handle, log } = deps;
  const name = deliverQueueName(object);
  const process = (job: Job<DeliverHint>): Promise<void> => handle(job.data);
  return startReopeningWorker({
    name,
    outage,
    log,
    pauseMs: reopenPauseMs,
    open: () => {
      const opened = openWorker(backend, name, concurrency, process);
      opened.worker.on("error", (error) =>
        log.debug({ object, reason: error.message }, "queue.worker_error"),
      );
      return opened;
    },
  });
};

/** Starts a consumer for every object kind's queue, each as soon as the queue's store is there. */
export const startHintWorkers = (deps: HintWorkersDeps): HintWorkers => {
  const outage = createOutage(deps.log, "queue.workers");
  const workers = objectKinds.map((object) => startOne(deps, outage, object));
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
