/**
 * In: the lag of deliveries. Out: whether draining backlogs delay other deliveries.
 * Guarantee: none needed: it only decides how fast backlogs drain.
 * On crash: the next process measures anew.
 *
 * Backpressure: while fresh deliveries start later than the baseline, draining backlogs get fewer
 * slots. After an outage one subscription may have 100,000 deliveries due at once, and a fast
 * receiver would take all slots long before it reaches a limit.
 */

/** A delivery that starts later than this belongs to a backlog. */
export const catchUpAfterMs = 30_000;

export type Backpressure = {
  /** A first attempt started this long after its event. */
  recordLag(lagMs: number): void;
  /** Whether backlogs should drain more slowly now. */
  isOverloaded(): boolean;
};

/** Samples of this period are evaluated together. */
const sampleWindowMs = 1_000;

const maxSamples = 1_000;

const minSamples = 10;

/** Deviations above the baseline up to this factor, plus these milliseconds, are noise. */
const tolerance = 1.15;

const toleranceMs = 5;

/** Used until a baseline is known. */
const initialBaselineMs = 100;

/** Weight of a period without backlog in the moving average. */
const baselineWeight = 0.05;

/** `now`: a monotonic clock in milliseconds. */
export function createBackpressure(now: () => number = () => performance.now()): Backpressure {
  let fresh: number[] = [];
  let isCatchingUp = false;
  let endsAt = now() + sampleWindowMs;
  let baselineMs: number | undefined;
  let isOverloaded = false;

  const updateBaseline = (latestMs: number): void => {
    const allowedMs =
      baselineMs === undefined ? initialBaselineMs : baselineMs * tolerance + toleranceMs;
    isOverloaded = latestMs > allowedMs;
    if (!isCatchingUp) {
      baselineMs =
        baselineMs === undefined ? latestMs : baselineMs + (latestMs - baselineMs) * baselineWeight;
    }
  };

  const endSpan = (): void => {
    const latestMs = fresh.length < minSamples ? undefined : quantileOf(fresh);
    if (latestMs === undefined) {
      isOverloaded = false; // too few fresh deliveries to delay
    } else {
      updateBaseline(latestMs);
    }
    fresh = [];
    isCatchingUp = false;
    endsAt = now() + sampleWindowMs;
  };

  return {
    recordLag: (lagMs) => {
      if (now() >= endsAt) {
        endSpan();
      }
      if (lagMs >= catchUpAfterMs) {
        isCatchingUp = true;
      } else if (fresh.length < maxSamples) {
        fresh.push(lagMs);
      }
    },
    isOverloaded: () => isOverloaded,
  };
}

/** The percentile of the lags that is compared. */
const quantile = 0.9;

function quantileOf(samples: readonly number[]): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * quantile)];
}
