/**
 * In: how late deliveries begin. Out: whether backlogs that drain delay the others.
 * Guarantee: none needed: it only decides how fast a backlog drains.
 * On crash: the next process measures anew.
 *
 * Backpressure: while fresh deliveries start later than the baseline, draining backlogs get fewer
 * slots. After an outage one subscription may have a hundred thousand deliveries due at once, and a
 * fast receiver would take all slots, long before any limit is reached.
 */

/** A delivery that begins later than this belongs to a backlog. */
export const catchUpAfterMs = 30_000;

export type Backpressure = {
  /** A first attempt began so long after its event. */
  recordLag(lagMs: number): void;
  /** Whether backlogs should drain more slowly now. */
  isOverloaded(): boolean;
};

/** Samples of so long are judged together. */
const sampleWindowMs = 1_000;

const maxSamples = 1_000;

const minSamples = 10;

/** Above the baseline by this factor, and by so many milliseconds, is still noise. */
const tolerance = 1.15;

const toleranceMs = 5;

/** Until a baseline is known. */
const initialBaselineMs = 100;

/** Weight of a quiet second in the moving average. */
const baselineWeight = 0.05;

/** `now`: milliseconds since some moment. */
export function createBackpressure(now: () => number = () => performance.now()): Backpressure {
  let fresh: number[] = [];
  let isCatchingUp = false;
  let endsAt = now() + sampleWindowMs;
  let baselineMs: number | undefined;
  let isHigh = false;

  const updateBaseline = (latestMs: number): void => {
    const allowedMs =
      baselineMs === undefined ? initialBaselineMs : baselineMs * tolerance + toleranceMs;
    isHigh = latestMs > allowedMs;
    if (!isCatchingUp) {
      baselineMs =
        baselineMs === undefined ? latestMs : baselineMs + (latestMs - baselineMs) * baselineWeight;
    }
  };

  const endSpan = (): void => {
    const latestMs = fresh.length < minSamples ? undefined : quantileOf(fresh);
    if (latestMs === undefined) {
      isHigh = false; // too few fresh deliveries to delay
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
    isOverloaded: () => isHigh,
  };
}

/** Of the lags of fresh deliveries. */
const quantile = 0.9;

function quantileOf(samples: readonly number[]): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * quantile)];
}
