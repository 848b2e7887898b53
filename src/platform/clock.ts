/**
 * Time as a dependency. The pipeline compares times only with a `Clock` that follows the
 * database's clock (see `createDatabaseClock`), so processes on hosts with different clocks agree.
 */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

export const dayMs = 86_400_000;

export type FollowingClock = Clock & {
  /** Measures the distance to the reference again. Errors are left to the caller. */
  resync(): Promise<void>;
};

export type TimeBudget = {
  /** Whether the pass has to end: its time is over, or the process stops. */
  isSpent(): boolean;
};

/**
 * A clock that follows another one it can only ask: `readReferenceMs` gives its time in
 * milliseconds since the epoch. Half of the round trip is taken as the answer's age.
 */
export function createFollowingClock(
  readReferenceMs: () => Promise<number>,
  local: () => number = Date.now,
): FollowingClock {
  let offsetMs = 0;
  return {
    now: () => new Date(local() + offsetMs),
    resync: async () => {
      const before = local();
      const referenceMs = await readReferenceMs();
      const after = local();
      offsetMs = referenceMs - (before + after) / 2;
    },
  };
}

/** How long a pass that works in batches goes on. The next one takes up what it left. */
const passMs = 20_000;

/** The time of one pass, from now on. */
export function startTimeBudget(clock: Clock, signal?: AbortSignal): TimeBudget {
  const endsAt = clock.now().getTime() + passMs;
  return { isSpent: () => signal?.aborted === true || clock.now().getTime() >= endsAt };
}
