import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

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

const maxBusyMs = 15;

/**
 * For long synchronous work: call the returned function between its steps. It yields to the event
 * loop every 15 ms, so the steps must tolerate other code running between them.
 */
export function createEventLoopYielder(): () => Promise<void> {
  let busySinceMs = performance.now();
  return async () => {
    if (performance.now() - busySinceMs >= maxBusyMs) {
      await nextTurn();
      busySinceMs = performance.now();
    }
  };
}
