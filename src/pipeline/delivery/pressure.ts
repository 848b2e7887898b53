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

export type Pressure = {
  /** A first attempt began so long after its event. */
  note(lagMs: number): void;
  /** Whether those that catch up should give way now. */
  isHigh(): boolean;
};

/** What is looked at together. */
const spanMs = 1_000;

const mostSamples = 1_000;

const fewestSamples = 10;

/** Later than usual: by so much of it, and by so many milliseconds, which are no more than noise. */
const tolerance = 1.15;

const toleranceMs = 5;

/** Until something usual is known. */
const presumedMs = 100;

/** What is usual follows slowly: each quiet second counts so much. */
const weight = 0.05;

/** `now`: milliseconds since some moment. */
export function createPressure(now: () => number = () => performance.now()): Pressure {
  let fresh: number[] = [];
  let isCatchingUp = false;
  let endsAt = now() + spanMs;
  let usualMs: number | undefined;
  let isHigh = false;

  const judge = (latestMs: number): void => {
    const allowedMs = usualMs === undefined ? presumedMs : usualMs * tolerance + toleranceMs;
    isHigh = latestMs > allowedMs;
    if (!isCatchingUp) {
      usualMs = usualMs === undefined ? latestMs : usualMs + (latestMs - usualMs) * weight;
    }
  };

  const endSpan = (): void => {
    const latestMs = fresh.length < fewestSamples ? undefined : quantileOf(fresh);
    if (latestMs === undefined) {
      isHigh = false; // there is nobody whom it could hurt
    } else {
      judge(latestMs);
    }
    fresh = [];
    isCatchingUp = false;
    endsAt = now() + spanMs;
  };

  return {
    note: (lagMs) => {
      if (now() >= endsAt) {
        endSpan();
      }
      if (lagMs >= catchUpAfterMs) {
        isCatchingUp = true;
      } else if (fresh.length < mostSamples) {
        fresh.push(lagMs);
      }
    },
    isHigh: () => isHigh,
  };
}

/** The share of fresh deliveries that is as quick as the figure that is compared. */
const quantile = 0.9;

function quantileOf(samples: readonly number[]): number | undefined {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * quantile)];
}
