import type { Logger } from "../logger.ts";
import { toError } from "../errors.ts";
import { withTimeout, sleep } from "../concurrency/async.ts";
import type { Worker } from "bullmq";

/**
 * Logs an outage of several queues twice: when it begins, and when the last queue is available
 * again.
 */
export type Outage = {
  began(queue: string, reason: Error): void;
  ended(queue: string): void;
};

/**
 * In: calls to one queue. Out: their results, or a rejection within seconds.
 * Guarantee: a BullMQ queue that failed to open never recovers, so it is closed, and a new one is
 * opened at the first call after `pauseMs`.
 */
export type Openable = {
  queue: { waitUntilReady(): Promise<unknown> };
  close: () => Promise<void>;
};

export type ReopeningQueue<Opened extends Openable> = {
  /** Opens the queue if necessary, then makes the call. */
  call<T>(work: (opened: Opened) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type ReopeningQueueDeps<Opened extends Openable> = {
  name: string;
  open: () => Opened;
  outage: Outage;
  /** Minimum time between two openings. */
  pauseMs: number;
  /** Time limit of the opening, and of the answer. */
  timeoutMs: number;
};

/**
 * In: jobs of one queue. Out: calls of the worker's processor.
 * Guarantee: a BullMQ worker that failed to start never recovers, so it is closed, and a new one is
 * opened after `pauseMs`, until one works or `close` is called.
 */
export type OpenableWorker = {
  worker: Pick<Worker, "name" | "waitUntilReady" | "run" | "pause" | "close">;
  disconnect: () => void;
  /** Resolves when none of its jobs runs. */
  jobsEnded: () => Promise<void>;
};

export type ReopeningWorker = {
  /** Takes no more jobs. Running ones continue. */
  pause(): Promise<void>;
  /**
   * Waits for running jobs, also those of workers that were replaced, at most `graceMs`, then closes
   * the connections.
   */
  close(graceMs: number): Promise<void>;
};

export type ReopeningWorkerDeps = {
  name: string;
  open: () => OpenableWorker;
  outage: Outage;
  log: Logger;
  pauseMs: number;
};

/** `what` is the prefix of both log events. */
export function createOutage(log: Logger, what: string): Outage {
  const away = new Set<string>();
  return {
    began: (queue, { message }) => {
      if (away.size === 0) {
        log.warn({ queue, reason: message }, `${what}_unreachable`);
      }
      away.add(queue);
    },
    ended: (queue) => {
      if (away.delete(queue) && away.size === 0) {
        log.info({ queue }, `${what}_reachable`);
      }
    },
  };
}

export function createReopeningQueue<Opened extends Openable>({
  name,
  open,
  outage,
  pauseMs,
  timeoutMs,
}: ReopeningQueueDeps<Opened>): ReopeningQueue<Opened> {
  const opener = createOpener(open, pauseMs);
  let isClosed = false;
  const bounded = <T>(promise: Promise<T>): Promise<T> =>
    withTimeout(promise, timeoutMs, `The queue did not respond within ${timeoutMs} ms`);
  return {
    call: async (work) => {
      if (isClosed) {
        throw new Error(`The queue ${name} is closed`);
      }
      try {
        const { opened, ready } = opener.get();
        // Separate, so that a call is not made after its caller gave up.
        await bounded(ready);
        const answer = await bounded(work(opened));
        outage.ended(name);
        return answer;
      } catch (thrown) {
        if (!isClosed) {
          outage.began(name, toError(thrown));
        }
        throw thrown;
      }
    },
    close: async () => {
      isClosed = true;
      await opener.close();
    },
  };
}

type OpenQueueAttempt<Opened> = { opened: Opened; ready: Promise<void> };

/** Keeps one queue open. No connection is made before the first call. */
function createOpener<Opened extends Openable>(
  open: () => Opened,
  pauseMs: number,
): { get: () => OpenQueueAttempt<Opened>; close: () => Promise<void> } {
  let current: OpenQueueAttempt<Opened> | undefined;
  let failure: { error: Error; isOverAt: number } | undefined;
  const closings = new Set<Promise<void>>();
  const end = (): void => {
    if (current !== undefined) {
      const closing = closeQuietly(current.opened).finally(() => closings.delete(closing));
      closings.add(closing);
      current = undefined;
    }
  };
  const start = (): OpenQueueAttempt<Opened> => {
    if (failure !== undefined && performance.now() < failure.isOverAt) {
      throw failure.error;
    }
    const isOverAt = performance.now() + pauseMs;
    const opened = open();
    const ready = opened.queue.waitUntilReady().then(
      () => undefined,
      (thrown: unknown) => {
        failure = { error: toError(thrown), isOverAt };
        if (current?.opened === opened) {
          end();
        }
        throw failure.error;
      },
    );
    // Even if no caller waits for it any more.
    ready.catch(() => undefined);
    return { opened, ready };
  };
  return {
    get: () => (current ??= start()),
    close: async () => {
      end();
      await Promise.all(closings);
    },
  };
}

const closeTimeoutMs = 3_000;

async function closeQuietly({ close }: Openable): Promise<void> {
  await withTimeout(close(), closeTimeoutMs, "queue close").catch(() => undefined);
}

/** For a worker that was replaced, when none of its jobs runs. */
const idleGraceMs = 3_000;

/** Starts it in the background. */
export function startReopeningWorker(deps: ReopeningWorkerDeps): ReopeningWorker {
  const { name, outage, log } = deps;
  const stop = new AbortController();
  let current: OpenableWorker | undefined;
  /** Workers that were replaced, and their ends. */
  const replaced = new Map<OpenableWorker, Promise<void>>();

  /** Resolves when the worker was paused or closed, rejects if it stops by itself. */
  const runOne = async (): Promise<void> => {
    current = deps.open();
    const { worker } = current;
    await worker.waitUntilReady();
    outage.ended(name);
    await worker.run();
    if (!stop.signal.aborted) {
      throw new Error("the worker stopped");
    }
  };
  /** BullMQ does not wait for the jobs of a worker that stopped by itself. */
  const closeReplaced = async (one: OpenableWorker): Promise<void> => {
    await one.worker.pause(true); // jobs that end fetch no others
    await one.jobsEnded();
    await closeWorker(one, idleGraceMs, log);
    replaced.delete(one);
  };
  const replace = (): void => {
    if (current !== undefined) {
      replaced.set(current, closeReplaced(current));
      current = undefined;
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
      replace();
      await sleep(deps.pauseMs, stop.signal);
    }
  };
  // Not awaited: a worker that was closed by force may never be ready. An error that is not handled
  // here ends the process, so that its runner starts another one: nothing else takes the jobs.
  void runUntilStopped();

  return {
    pause: async () => {
      stop.abort();
      await current?.worker.pause(true);
    },
    close: async (graceMs) => {
      stop.abort();
      await Promise.all([
        ...[...replaced].map(([one, ended]) =>
          withTimeout(ended, graceMs, "grace").catch(() => closeWorker(one, 0, log)),
        ),
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
    // close() has no time-out, and hangs while Redis is unavailable.
    await withTimeout(worker.close(), graceMs, "jobs still running");
  } catch (thrown) {
    log.warn({ queue: worker.name, reason: String(thrown) }, "queue.closed_by_force");
    await withTimeout(worker.close(true), 1_000, "forced close").catch(() => undefined);
  } finally {
    disconnect();
  }
}
