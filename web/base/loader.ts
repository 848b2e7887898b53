/**
 * Lazily loaded chunks and texts. React needs the same promise on every render, so a failed promise
 * is kept until a retry: dropping it at once would reload in an endless loop.
 */
import { use } from "react";

export type Loader<T> = {
  /** The loaded value, if there is one. */
  value(): T | undefined;
  /** Loads once. A failure is kept until `forgetFailures`. */
  load(): Promise<T>;
  /** Preloads. A failure is dropped silently. */
  prefetch(): Promise<void>;
};

const failures = new Set<() => void>();
let failedLoads = 0;

/** Number of failed loads since the last success, for the retry backoff. */
export function failedLoadCount(): number {
  return failedLoads;
}

/** Drops all failures, so that the next render loads again. */
export function forgetFailures(): void {
  const forget = [...failures];
  failures.clear();
  forget.forEach((one) => one());
}

export function createLoader<T>(loadOnce: () => Promise<T>): Loader<T> {
  let promise: Promise<T> | undefined;
  let loaded: { value: T } | undefined;
  let isWaitedFor = false;

  function forget(): void {
    promise = undefined;
    isWaitedFor = false;
  }

  function start(): Promise<T> {
    const started = loadOnce().then(
      (value) => {
        loaded = { value };
        failedLoads = 0;
        // Properties that React's `use` checks first, so that a loaded value does not suspend.
        void Object.assign(started, { status: "fulfilled", value });
        return value;
      },
      (thrown: unknown) => {
        failedLoads += 1;
        if (isWaitedFor) {
          failures.add(forget);
        } else {
          forget();
        }
        throw thrown;
      },
    );
    return started;
  }

  return {
    value: () => loaded?.value,
    load: () => {
      isWaitedFor = true;
      promise ??= start();
      return promise;
    },
    prefetch: async () => {
      promise ??= start();
      await promise.catch(() => undefined);
    },
  };
}

/** The value of a loader. Suspends until it is loaded; throws if loading failed. */
export function useLoaded<T>(loader: Loader<T>): T {
  return loader.value() ?? use(loader.load());
}
