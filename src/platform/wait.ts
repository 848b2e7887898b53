import { setTimeout as delay } from "node:timers/promises";

/** Waits, or returns early (without throwing) when the signal fires. */
export async function pause(waitMs: number, signal?: AbortSignal): Promise<void> {
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
