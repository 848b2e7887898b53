/** Tools for asynchronous work: waiting, batching and mutual exclusion. */
import { setTimeout as delay } from "node:timers/promises";
import { toError } from "../errors.ts";

/** An interruptible sleep. A wake-up outside of a wait is kept for the next one. */
export type Wakeup = {
  wake: () => void;
  /** Resolves after `waitMs`, at a wake-up, or when the signal aborts. True after a wake-up. */
  wait(waitMs: number, signal: AbortSignal): Promise<boolean>;
};

/** Sleeps for `waitMs`, or returns early, without throwing, when the signal aborts. */
export async function sleep(waitMs: number, signal?: AbortSignal): Promise<void> {
  await delay(waitMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

/** The promise's value, or a rejection with `message` when it takes longer than `timeoutMs`. */
export async function withTimeout<T>(
  promise: Promise<T>,
  timeoutMs: number,
  message: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `work` with a signal that aborts with `signal`, and after `timeoutMs` with a `TimeoutError`.
 * Node 20 forgets an `AbortSignal.timeout` inside of `AbortSignal.any` at a garbage collection.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", abort);
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`It took longer than ${timeoutMs} ms`, "TimeoutError"));
  }, timeoutMs);
  try {
    if (signal.aborted) {
      abort();
    }
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

export function createWakeup(): Wakeup {
  let isAwake = false;
  let finish: (() => void) | undefined;
  return {
    wake: () => {
      isAwake = true;
      finish?.();
    },
    wait: async (waitMs, signal) => {
      if (!isAwake && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            finish = undefined;
            resolve();
          };
          const timer = setTimeout(done, waitMs);
          signal.addEventListener("abort", done);
          finish = done;
        });
      }
      const wasWoken = isAwake;
      isAwake = false;
      return wasWoken;
    },
  };
}

/** Combines single calls into batches (group commit). */
export type Batcher<In, Out> = {
  /**
   * An item with patience waits so long for others, in ms, unless one without patience comes, or
   * `fullCount` wait.
   */
  add(item: In, patienceMs?: number): Promise<Out>;
  /** Ends the patience of those that wait. */
  hurry(): void;
  /** Items that wait or are in a running batch. */
  readonly size: number;
};

type PendingItem<In, Out> = {
  item: In;
  resolve: (result: Out) => void;
  reject: (error: Error) => void;
};

/**
 * After a batch of `busyCount` items or more, but fewer than `fullCount`, the next one waits `waitMs`
 * for more of them, unless `mayWait` says no.
 */
export type Gathering = {
  busyCount: number;
  fullCount: number;
  waitMs: number;
  mayWait: () => boolean;
};

const noGathering: Gathering = { busyCount: 1, fullCount: 0, waitMs: 0, mayWait: () => false };

/**
 * While no batch runs, a call starts one in the same turn of the event loop; calls that arrive
 * while a batch runs make up the next one. So latency is low when idle, and under load there is one
 * statement per batch. `run` returns one result per item, in order; if it rejects, all its items do.
 */
export function createBatcher<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  maxBatch: number,
  { busyCount, fullCount, waitMs, mayWait }: Gathering = noGathering,
): Batcher<In, Out> {
  let waiting: PendingItem<In, Out>[] = [];
  let inFlight = 0;
  /** Times in `performance.now()`. The first patience of those that wait ends: */
  let patientUntil = Infinity;
  let gathersUntil = 0;

  const settle = (batch: readonly PendingItem<In, Out>[], results: readonly Out[]): void => {
    batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
  };

  const flush = async (): Promise<void> => {
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    patientUntil = waiting.length > 0 ? 0 : Infinity;
    inFlight = batch.length;
    try {
      settle(batch, await run(batch.map(({ item }) => item)));
    } catch (thrown) {
      const error = toError(thrown);
      batch.forEach(({ reject }) => reject(error));
    } finally {
      inFlight = 0;
      gathersUntil = isGathering(batch.length) ? performance.now() + waitMs : 0;
      schedule();
    }
  };

  const isGathering = (done: number): boolean =>
    done >= busyCount && Math.max(done, waiting.length) < fullCount && mayWait();

  const schedule = (): void => {
    if (inFlight > 0 || waiting.length === 0) {
      return;
    }
    const isFull = waiting.length >= fullCount;
    start(Math.max(gathersUntil, isFull ? 0 : patientUntil));
  };

  const start = createStart(() => void flush());

  return {
    add: (item, patienceMs = 0) =>
      new Promise<Out>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        patientUntil =
          patienceMs === 0 ? 0 : Math.min(patientUntil, performance.now() + patienceMs);
        schedule();
      }),
    hurry: () => {
      patientUntil = waiting.length > 0 ? 0 : Infinity;
      schedule();
    },
    get size() {
      return waiting.length + inFlight;
    },
  };
}

/**
 * Calls `run` once, at the earliest of the times it is called with until then, in `performance.now()`;
 * in this turn of the event loop if that is over.
 */
function createStart(run: () => void): (at: number) => void {
  let next: { at: number; timer?: NodeJS.Timeout } | undefined;
  const runNow = (): void => {
    next = undefined;
    run();
  };
  return (at) => {
    if (next !== undefined && next.at <= at) {
      return;
    }
    clearTimeout(next?.timer);
    const leftMs = at === 0 ? 0 : at - performance.now();
    next = leftMs > 0 ? { at, timer: setTimeout(runNow, leftMs) } : { at: 0 };
    if (leftMs <= 0) {
      setImmediate(runNow);
    }
  };
}

/**
 * Spreads work over turns of the event loop: at most `perTurn` callers continue per turn, in call
 * order, and none before the running callback has ended. I/O and timers are served in between.
 */
export function createTurnQueue(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const runTurn = (): void => {
    waiting.splice(0, perTurn).forEach((resolve) => resolve());
    if (waiting.length > 0) {
      setImmediate(runTurn);
    }
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.length === 0) {
        setImmediate(runTurn);
      }
      waiting.push(resolve);
    });
}

export type KeyedMutex<Key = number> = <T>(key: Key, work: () => Promise<T>) => Promise<T>;

/** One mutex per key, in this process. Waiters run in the order of their calls. */
export function createKeyedMutex<Key = number>(): KeyedMutex<Key> {
  const tails = new Map<Key, Promise<unknown>>();
  return async (key, work) => {
    const previous = tails.get(key) ?? Promise.resolve();
    const current = previous.catch(() => undefined).then(work);
    tails.set(key, current);
    try {
      return await current;
    } finally {
      if (tails.get(key) === current) {
        tails.delete(key);
      }
    }
  };
}

/**
 * Never runs the work concurrently. Calls that arrive during a run share the next one, so each call
 * resolves with a run that began after it.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const start = (): Promise<void> => {
    running = work().finally(() => {
      // While a second run is planned, the state stays running, so that a call before its start
      // joins it.
      if (next === undefined) {
        running = undefined;
      }
    });
    return running;
  };

  return () => {
    if (running === undefined) {
      return start();
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
