/** Asynchronous work that runs one step after the other, never concurrently. */
import { toError } from "../errors.ts";
import { sleep } from "./async.ts";

export type RetryOptions = Readonly<{
  /** The first pause. Each following pause is twice as long, up to `maxPauseMs`. */
  minPauseMs: number;
  maxPauseMs: number;
  /** Ends a pause early. Once it has aborted, the next failure is final. */
  signal: AbortSignal;
  /** Called after each failure, with the pause that would follow. True ends the retries. */
  isFinal(error: Error, pauseMs: number): boolean;
}>;

/** Runs the work until it succeeds, or rejects with its final failure. */
export async function retry<T>(
  work: () => Promise<T>,
  { minPauseMs, maxPauseMs, signal, isFinal }: RetryOptions,
): Promise<T> {
  let pauseMs = minPauseMs;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const error = toError(thrown);
      if (isFinal(error, pauseMs) || signal.aborted) {
        throw error;
      }
      await sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  }
}

/** Runs the work until the signal aborts, with a pause after each run. */
export async function repeat(
  work: () => Promise<void>,
  pauseMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, signal);
  }
}

/** Like `map`, but each call starts after the previous one has resolved. */
export async function mapInOrder<In, Out>(
  items: Iterable<In>,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  for (const item of items) {
    results.push(await work(item));
  }
  return results;
}
