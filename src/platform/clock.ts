/**
 * Time as a dependency. The pipeline compares times only by a `Clock` that follows the database's
 * clock (see `createDatabaseClock`), so that hosts with different clocks agree.
 */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

export const minuteMs = 60_000;

export const hourMs = 60 * minuteMs;

export const dayMs = 24 * hourMs;

/** The start of a time's day in UTC, some days later. Daily partitions begin there. */
export function startOfDay(date: Date, plusDays = 0): Date {
  return new Date((Math.floor(date.getTime() / dayMs) + plusDays) * dayMs);
}

export type FollowingClock = Clock & {
  /** Measures the offset to the reference clock again. Errors are thrown to the caller. */
  resync(): Promise<void>;
};

export type TimeBudget = {
  /** Whether the pass must end: its time is over, or the process stops. */
  isSpent(): boolean;
};

/**
 * A clock that follows a remote clock: `readReferenceMs` returns its time in milliseconds since the
 * epoch. Assumes that the reading is half a round trip old. Each measured offset is reported: positive
 * if the remote clock is ahead.
 */
export function createFollowingClock(
  readReferenceMs: () => Promise<number>,
  reportOffset: (offsetMs: number) => void,
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
      reportOffset(offsetMs);
    },
  };
}

/** Time limit of a pass that works in batches. The next pass continues. */
const passMs = 20_000;

/** Starts the time budget of one pass. */
export function startTimeBudget(clock: Clock, signal?: AbortSignal): TimeBudget {
  const endsAt = clock.now().getTime() + passMs;
  return { isSpent: () => signal?.aborted === true || clock.now().getTime() >= endsAt };
}
