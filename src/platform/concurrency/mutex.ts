export type KeyedMutex = <T>(key: number, work: () => Promise<T>) => Promise<T>;

/** Runs the work of one key one after the other, in this process; that of different ones at once. */
export function createKeyedMutex(): KeyedMutex {
  const lasts = new Map<number, Promise<unknown>>();
  return async (key, work) => {
    const before = lasts.get(key) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(work);
    lasts.set(key, mine);
    try {
      return await mine;
    } finally {
      if (lasts.get(key) === mine) {
        lasts.delete(key);
      }
    }
  };
}

/**
 * Runs work one after the other. Each call resolves when a run that began after it has ended; calls
 * that come while one runs share the next one.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const start = (): Promise<void> => {
    running = work().finally(() => {
      // Who comes before the next one has begun is in that one.
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
