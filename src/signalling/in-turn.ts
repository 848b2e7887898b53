/**
 * Runs work one after the other. Each call resolves when a run that began after it has ended; calls
 * that come while one runs share the next one.
 */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
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
