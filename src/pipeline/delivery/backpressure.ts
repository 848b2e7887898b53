/**
 * In: how late deliveries begin. Out: whether those that catch up hold up the others.
 * Guarantee: none needed: it only decides how fast a backlog drains.
 * On crash: the next process learns anew.
 *
 * After an outage one subscription may have a hundred thousand deliveries due at once, and a quick
 * receiver would take them as fast as this machine can send. The others would feel that long before
 * anything is full. So what is fresh is watched: while it begins later than it does when nobody
 * catches up, those that do get fewer places.
 */

/** A delivery that begins later than this is one of a backlog, and catches up. */
export const catchUpAfterMs = 30_000;

export type Backpressure = {
  /** A first attempt began so long after its event. */
  recordLag(lagMs: number): void;
  /** Whether those that catch up should give way now. */
  isOverloaded(): boolean;
};

/** What is looked at together. */
const sampleWindowMs = 1_000;

const maxSamples = 1_000;

const minSamples = 10;

/** Later than usual: by so much of it, and by so many milliseconds, which are no more than noise. */
const tolerance = 1.15;

const toleranceMs = 5;

/** Until something usual is known. */
const initialBaselineMs = 100;

/** What is usual follows slowly: each quiet second counts so much. */
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
      isHigh = false; // there is nobody whom it could hurt
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

/** The share of fresh deliveries that is as quick as the figure that is compared. */
const quantile = 0.9;

function quantileOf(samples: readonly number[]): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * quantile)];
}
