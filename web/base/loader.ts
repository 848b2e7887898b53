/**
 * What is loaded once it is needed: scripts of pages and dialogs, texts. React asks for the same
 * promise each time it draws, so a failed one is kept until somebody wants to try again: forgotten
 * at once, it would be asked for without end.
 */
import { use } from "react";

export type Loader<T> = {
  /** What was loaded, if it is there. */
  value(): T | undefined;
  /** Loads it, once. A failure is kept until `forgetFailures`. */
  load(): Promise<T>;
  /** Loads it ahead of time. A failure is told to nobody, and forgotten. */
  prefetch(): Promise<void>;
};

const failures = new Set<() => void>();
let failedLoads = 0;

/** Loads that failed since the last one that did not: what tries again waits longer each time. */
export function failedLoadCount(): number {
  return failedLoads;
}

/** From here on whatever failed is loaded anew. */
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
        // What React's `use` looks for first: nobody waits a turn for what is there.
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

/** What a loader has. Suspends until it is there; throws where it cannot be had. */
export function useLoaded<T>(loader: Loader<T>): T {
  return loader.value() ?? use(loader.load());
}
