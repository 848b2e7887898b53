/**
 * A bounded number of places for work that goes on at once. Work that takes long gives its place to
 * others after a while and goes on beside them: what only waits for somebody slow costs memory, not
 * a place. How much may go on beside is bounded by whoever brings the work.
 */
export type Places = {
  /** Runs the work as soon as there is a place. */
  run(work: () => Promise<void>): Promise<void>;
  /** How much holds a place, goes on without one, and waits for one. */
  counts(): { held: number; parked: number; waiting: number };
};

export type PlacesOptions = {
  most: number;
  /** After how long work gives its place away, looked at four times within it. */
  parkAfterMs: number;
  /** Milliseconds since some moment. */
  now?: () => number;
};

type Run = { startedAt: number; isParked: boolean };

export const createPlaces = ({
  most,
  parkAfterMs,
  now = () => performance.now(),
}: PlacesOptions): Places => {
  // In the order of their starts, so that a look at them ends at the first young one.
  const holding = new Set<Run>();
  const waiting: (() => void)[] = [];
  let parked = 0;
  let timer: NodeJS.Timeout | undefined;

  const letIn = (): void => {
    while (holding.size < most) {
      const next = waiting.shift();
      if (next === undefined) {
        return;
      }
      next();
    }
  };

  const stopLooking = (): void => {
    if (holding.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };

  const park = (): void => {
    const before = now() - parkAfterMs;
    for (const run of holding) {
      if (run.startedAt > before) {
        break;
      }
      run.isParked = true;
      parked += 1;
      holding.delete(run);
    }
    letIn();
    stopLooking();
  };

  const hold = (): Run => {
    const run = { startedAt: now(), isParked: false };
    holding.add(run);
    timer ??= setInterval(park, parkAfterMs / 4);
    return run;
  };

  const wait = async (): Promise<Run> =>
    new Promise((resolve) => {
      waiting.push(() => resolve(hold()));
    });

  const leave = (run: Run): void => {
    if (run.isParked) {
      parked -= 1;
    } else {
      holding.delete(run);
      letIn();
      stopLooking();
    }
  };

  return {
    run: async (work) => {
      const run = holding.size < most ? hold() : await wait();
      try {
        await work();
      } finally {
        leave(run);
      }
    },
    counts: () => ({ held: holding.size, parked, waiting: waiting.length }),
  };
};
