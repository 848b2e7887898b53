/**
 * In: when first attempts start. Out: how fast backlogs may drain beside them.
 * Guarantee: none; no delivery depends on it.
 * On crash: a new process measures again.
 */
import type { DrainPace } from "../ledger/next-health.ts";
import { catchUpAfterMs } from "./handle.ts";

/** Tells the settler how fast backlogs may drain; nothing depends on it. */
type Backpressure = {
  /** A first attempt started this long after its event. */
  recordLag(lagMs: number): void;
  pace(): DrainPace;
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

/**
 * Weight of a period without backlog in the moving average, if it was slower or faster. After a
 * disturbance the baseline soon is what it was, or backlogs would drain as if that were usual. With a
 * backlog it follows within minutes, up to the initial baseline: the load may have grown meanwhile,
 * and a backlog that keeps its smallest window because of that might never end.
 */
const weights = { slower: 0.05, faster: 0.3, draining: 0.002 };

/**
 * Backlogs drain carefully beside fresh deliveries, and get fewer slots while these start later than
 * the baseline. After an outage one subscription may have 100,000 deliveries due at once, and a fast
 * receiver would take all slots long before it reaches a limit. `now`: a monotonic clock in
 * milliseconds.
 */
export function createBackpressure(now: () => number = () => performance.now()): Backpressure {
  let fresh: number[] = [];
  let isCatchingUp = false;
  let endsAt = now() + sampleWindowMs;
  let baselineMs: number | undefined;
  let last = { isCatchingUp: false, hasFresh: false, isOverloaded: false };

  /** Whether fresh deliveries start late. */
  const compare = (latestMs: number): boolean => {
    const allowedMs =
      baselineMs === undefined ? initialBaselineMs : baselineMs * tolerance + toleranceMs;
    if (!isCatchingUp) {
      const before = baselineMs ?? latestMs;
      const weight = latestMs > before ? weights.slower : weights.faster;
      baselineMs = before + (latestMs - before) * weight;
    } else if (baselineMs !== undefined && baselineMs < initialBaselineMs) {
      baselineMs += (Math.min(latestMs, initialBaselineMs) - baselineMs) * weights.draining;
    }
    return latestMs > allowedMs;
  };

  const endSpan = (): void => {
    const hasFresh = fresh.length >= minSamples; // fewer are too few to delay
    last = { isCatchingUp, hasFresh, isOverloaded: hasFresh && compare(quantileOf(fresh)) };
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
    pace: () => {
      const isBeside = last.hasFresh && (isCatchingUp || last.isCatchingUp);
      if (!isBeside) {
        return "full";
      }
      return last.isOverloaded ? "reduced" : "careful";
    },
  };
}

/** The percentile of the lags that is compared. */
const quantile = 0.9;

function quantileOf(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * quantile)] ?? 0;
}
