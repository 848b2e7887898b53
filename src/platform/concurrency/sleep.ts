import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** A wait that can be cut short. A ring while nobody waits is kept for the next wait. */
export type Wakeup = {
  wake: () => void;
  /** Resolves after `waitMs`, at a ring, or when the signal fires. True: it rang. */
  wait(waitMs: number, signal: AbortSignal): Promise<boolean>;
};

/** Waits, or returns early (without throwing) when the signal fires. */
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
  let hasRung = false;
  let finish: (() => void) | undefined;
  return {
    wake: () => {
      hasRung = true;
      finish?.();
    },
    wait: async (waitMs, signal) => {
      if (!hasRung && !signal.aborted) {
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
      const rang = hasRung;
      hasRung = false;
      return rang;
    },
  };
}

const maxBusyMs = 15;

/**
 * For work that may take long without waiting for anything: called between its steps, it lets the
 * rest of the process go on every few milliseconds. So it must be safe for others to run there.
 */
export function createEventLoopYielder(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs >= maxBusyMs) {
      await nextTurn();
      sinceMs = performance.now();
    }
  };
}
