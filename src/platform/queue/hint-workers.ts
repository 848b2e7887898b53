import type { Job } from "bullmq";
import { objectKinds } from "../../contracts/events.ts";
import { deliverQueueName, type DeliverHint } from "../../contracts/jobs.ts";
import type { Logger } from "../logger.ts";
import { withTimeout } from "../wait.ts";
import { openWorker, type OpenedWorker, type QueueBackend } from "./backend.ts";

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

const closeWorker = async ({ worker, disconnect }: OpenedWorker, graceMs: number, log: Logger) => {
  try {
    // close() itself has no time-out, and hangs where Redis is away.
    await withTimeout(worker.close(), graceMs, "hints still under way");
  } catch (thrown) {
    log.warn({ queue: worker.name, reason: String(thrown) }, "queue.closed_by_force");
    await withTimeout(worker.close(true), 1_000, "forced close").catch(() => undefined);
  } finally {
    disconnect();
  }
};

/** Starts a consumer for every object kind's queue. */
export const startHintWorkers = (deps: HintWorkersDeps): HintWorkers => {
  const workers = objectKinds.map((object) => {
    const process = (job: Job<DeliverHint>): Promise<void> => deps.handle(job.data);
    const opened = openWorker(deps.backend, deliverQueueName(object), deps.concurrency, process);
    opened.worker.on("error", (error) =>
      deps.log.debug({ object, reason: error.message }, "queue.worker_error"),
    );
    void opened.worker.run().catch((error: unknown) => {
      deps.log.error({ object, reason: String(error) }, "queue.worker_stopped");
    });
    return opened;
  });
  return {
    pause: async () => {
      await Promise.allSettled(
        workers.map(({ worker }) => withTimeout(worker.pause(true), 2_000, "pause")),
      );
    },
    close: async (graceMs) => {
      await Promise.all(workers.map((opened) => closeWorker(opened, graceMs, deps.log)));
    },
  };
};
