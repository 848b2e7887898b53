/** A wait that can be cut short. A ring while nobody waits is kept for the next wait. */
export type Alarm = {
  ring: () => void;
  /** Resolves after `waitMs`, at a ring, or when the signal fires. True: it rang. */
  wait(waitMs: number, signal: AbortSignal): Promise<boolean>;
};

export function createAlarm(): Alarm {
  let hasRung = false;
  let finish: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      finish?.();
    },
    wait: async (waitMs, signal) => {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            finish = undefined;
            resolve();
          };
          const timer = setTimeout(done, waitMs);
          signal.addEventListener("abort", done);
          finish = done;
        });
      }
      const rang = hasRung;
      hasRung = false;
      return rang;
    },
  };
}
