export type KeyedMutex = <T>(key: number, work: () => Promise<T>) => Promise<T>;

/** One mutex per key, in this process. Waiters run in the order of their calls. */
export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<number, Promise<unknown>>();
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
