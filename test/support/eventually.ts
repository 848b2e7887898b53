import { setTimeout as delay } from "node:timers/promises";
import { toError } from "../../src/platform/errors.ts";

export type EventuallyOptions = { timeoutMs?: number; everyMs?: number };

/**
 * Repeats `check` until it neither throws nor resolves to false, and gives back what it resolved
 * to. After `timeoutMs` it throws what the last try threw. The only way a test waits.
 */
export const eventually = async <T>(
  check: () => T | Promise<T>,
  { timeoutMs = 5_000, everyMs = 20 }: EventuallyOptions = {},
): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const failure = await tryOnce(check);
    if ("value" in failure) {
      return failure.value;
    }
    if (performance.now() >= deadline) {
      failure.error.message = `Not within ${timeoutMs} ms: ${failure.error.message}`;
      throw failure.error;
    }
    await delay(everyMs);
  }
};

const tryOnce = async <T>(
  check: () => T | Promise<T>,
): Promise<{ value: T } | { error: Error }> => {
  try {
    const value = await check();
    return value === false ? { error: new Error(`still false: ${String(check)}`) } : { value };
  } catch (thrown) {
    return { error: toError(thrown) };
  }
};
