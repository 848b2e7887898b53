/**
 * In: hints of one queue. Out: calls of the worker's processor.
 * Guarantee: BullMQ remembers for ever that a worker could not start, so such a worker is closed
 * and another one opened after `pauseMs`, until one works or all is closed.
 */
import type { Worker } from "bullmq";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { pause, withTimeout } from "../wait.ts";
import type { Outage } from "./outage.ts";

export type OpenableWorker = {
  worker: Pick<Worker, "name" | "waitUntilReady" | "run" | "pause" | "close">;
  disconnect: () => void;
};

export type ReopeningWorker = {
  /** Takes no further hint. What is under way goes on. */
  pause(): Promise<void>;
  /** Waits for what is under way, at most `graceMs`, then closes the connections. */
  close(graceMs: number): Promise<void>;
};

export type ReopeningWorkerDeps = {
  name: string;
  open: () => OpenableWorker;
  outage: Outage;
  log: Logger;
  pauseMs: number;
};

/** For a worker that could not start: it has nothing under way. */
const failedGraceMs = 3_000;

/** Starts it in the background. */
export function startReopeningWorker(deps: ReopeningWorkerDeps): ReopeningWorker {
  const { name, outage, log } = deps;
  const stop = new AbortController();
  let current: OpenableWorker | undefined;
  let discarding: Promise<void> | undefined;

  /** Resolves when the worker was paused or closed. */
  const runOne = async (): Promise<void> => {
    current = deps.open();
    const { worker } = current;
    await worker.waitUntilReady();
    outage.ended(name);
    await worker.run();
  };
  const discard = async (): Promise<void> => {
    if (current !== undefined) {
      discarding = closeWorker(current, failedGraceMs, log);
      current = undefined;
      await discarding;
    }
  };
  const runUntilStopped = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await runOne();
        return;
      } catch (thrown) {
        if (stop.signal.aborted) {
          return;
        }
        outage.began(name, toError(thrown));
      }
      await discard();
      await pause(deps.pauseMs, stop.signal);
    }
  };
  // Nobody waits for its end: a worker that was closed by force may never say that it is ready.
  void runUntilStopped().catch((thrown: unknown) => {
    log.error({ queue: name, reason: String(thrown) }, "queue.worker_stopped");
  });

  return {
    pause: async () => {
      stop.abort();
      await current?.worker.pause(true);
    },
    close: async (graceMs) => {
      stop.abort();
      await Promise.all([
        discarding,
        current === undefined ? undefined : closeWorker(current, graceMs, log),
      ]);
    },
  };
}

async function closeWorker(
  { worker, disconnect }: OpenableWorker,
  graceMs: number,
  log: Logger,
): Promise<void> {
  try {
    // close() itself has no time-out, and hangs where Redis is away.
    await withTimeout(worker.close(), graceMs, "hints still under way");
  } catch (thrown) {
    log.warn({ queue: worker.name, reason: String(thrown) }, "queue.closed_by_force");
    await withTimeout(worker.close(true), 1_000, "forced close").catch(() => undefined);
  } finally {
    disconnect();
  }
}
