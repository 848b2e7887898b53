import { setTimeout as delay } from "node:timers/promises";
import { toError } from "../../src/platform/errors.ts";
import { promised } from "./promised.ts";

export type EventuallyOptions = { timeoutMs?: number; everyMs?: number };

/** Waits longer between later checks, because a check costs CPU, especially in a browser. */
function pauseAfter(waitedMs: number): number {
  return Math.min(200, Math.max(20, waitedMs / 8));
}

/**
 * Repeats `check` until it neither throws nor resolves to false, and returns its result. After
 * `timeoutMs` (longer on a busy machine), throws the last error. Tests must not wait in any other
 * way.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 5_000, everyMs }: EventuallyOptions = {},
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const failure = await tryOnce(check);
    if ("value" in failure) {
      return failure.value;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= promised(timeoutMs)) {
      failure.error.message = `Not within ${Math.round(waitedMs)} ms: ${failure.error.message}`;
      throw failure.error;
    }
    await delay(everyMs ?? pauseAfter(waitedMs));
  }
}

async function tryOnce<T>(check: () => T | Promise<T>): Promise<{ value: T } | { error: Error }> {
  try {
    const value = await check();
    return value === false ? { error: new Error(`still false: ${String(check)}`) } : { value };
  } catch (thrown) {
    return { error: toError(thrown) };
  }
}
