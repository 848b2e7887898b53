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
  /**
   * Measures the offset to the remote clock again. Keeps a good one if the reading takes too long.
   * Throws if there is no reading.
   */
  resync(): Promise<void>;
};

export type TimeBudget = {
  /** Whether the pass must end: its time is over, or the process stops. */
  isSpent(): boolean;
};

/** The clocks of this host, in milliseconds since the epoch. */
export type HostClocks = {
  /** Advances evenly, also while the other one is set. */
  steadyMs(): number;
  wallMs(): number;
};

const hostClocks: HostClocks = {
  steadyMs: () => performance.timeOrigin + performance.now(),
  wallMs: Date.now,
};

type Reading = { offsetMs: number; roundTripMs: number };

/** Whether a reading took so long, for example for a connection, that it tells too little. */
function isVague({ roundTripMs }: Reading): boolean {
  return roundTripMs > 500;
}

const maxReadings = 3;

/** If the host's clocks move apart by this much, one was set, or the host was suspended. */
const jumpMs = 1_000;

export type FollowingClockDeps = {
  /** The remote time in milliseconds since the epoch. */
  readReferenceMs: () => Promise<number>;
  /** By how much the remote clock is ahead of the host's, after each measurement. */
  reportOffset: (offsetMs: number) => void;
  /** One of the host's clocks jumped: the clock should be measured again. */
  onJump?: () => void;
  host?: HostClocks;
};

/**
 * A clock that follows a remote clock, and advances with the host's steady clock in between: one that
 * is set on a host must not end leases. Assumes that a reading is half a round trip old.
 */
export function createFollowingClock(deps: FollowingClockDeps): FollowingClock {
  const { readReferenceMs, reportOffset, onJump = () => undefined, host = hostClocks } = deps;
  let isMeasured = false;
  let offsetMs = 0;
  let wallLeadMs = host.wallMs() - host.steadyMs();
  let hasJumped = false;
  let reportedAtMs = -Infinity;

  const read = async (): Promise<Reading> => {
    const before = host.steadyMs();
    const referenceMs = await readReferenceMs();
    const after = host.steadyMs();
    return { offsetMs: referenceMs - (before + after) / 2, roundTripMs: after - before };
  };
  /** Nothing is known before the first reading, or after a jump: the best of a few is taken. */
  const readFirst = async () => {
    let best = await read();
    for (let readings = 1; isVague(best) && readings < maxReadings; readings += 1) {
      const next = await read();
      best = next.roundTripMs < best.roundTripMs ? next : best;
    }
    return best;
  };
  return {
    now: () => {
      const steadyMs = host.steadyMs();
      const leadMs = host.wallMs() - steadyMs;
      if (Math.abs(leadMs - wallLeadMs) > jumpMs && steadyMs - reportedAtMs > jumpMs) {
        // Again and again until a measurement succeeds.
        hasJumped = true;
        reportedAtMs = steadyMs;
        onJump();
      }
      return new Date(steadyMs + offsetMs);
    },
    resync: async () => {
      const isUnknown = !isMeasured || hasJumped;
      const reading = await (isUnknown ? readFirst() : read());
      if (!isUnknown && isVague(reading)) {
        return;
      }
      isMeasured = true;
      hasJumped = false;
      offsetMs = reading.offsetMs;
      wallLeadMs = host.wallMs() - host.steadyMs();
      reportOffset(offsetMs - wallLeadMs);
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
