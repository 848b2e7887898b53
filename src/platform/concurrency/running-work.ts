/** Work in progress that somebody may have to wait for. */
export type RunningWork = {
  /** Returns the same promise. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Waits for all that runs, and for what is tracked during the wait. Never rejects. */
  drain(): Promise<void>;
};

export function createRunningWork(): RunningWork {
  const running = new Set<Promise<unknown>>();
  return {
    track: (work) => {
      const end = (): void => void running.delete(work);
      running.add(work);
      work.then(end, end);
      return work;
    },
    drain: async () => {
      while (running.size > 0) {
        await Promise.allSettled(running);
      }
    },
  };
}
