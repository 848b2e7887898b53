export type Turns = <T>(key: number, work: () => Promise<T>) => Promise<T>;

/** Runs the work of one key one after the other, in this process; that of different ones at once. */
export function createTurns(): Turns {
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
