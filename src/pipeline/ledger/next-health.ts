/**
 * The health of a receiver after a batch of attempts: its concurrency window (AIMD) and its circuit.
 * Pure.
 */
import type { FailureResult, Health } from "./health.ts";

/** The results of a batch for one subscription. */
export type BatchOutcome = {
  successes: number;
  /** Total latency of the successes. */
  successMs: number;
  failures: number;
  /** The result of one of the failures; null if none. */
  failedAs: FailureResult | null;
  /** One of the attempts started long after its event, so a backlog is draining. */
  isCatchingUp: boolean;
  /** Whether any failure indicates overload: time-outs, connection errors, 429, 503. */
  congested: boolean;
  throttleMs: number;
};

export const emptyBatchOutcome: BatchOutcome = {
  successes: 0,
  successMs: 0,
  failures: 0,
  failedAs: null,
  isCatchingUp: false,
  congested: false,
  throttleMs: 0,
};

/** A failing subscription is probed with one request at a time. */
const minWindow = 1;

/**
 * How fast backlogs may drain: `full` while there is nothing else to send, `careful` beside fresh
 * deliveries, and `reduced` while these start late.
 */
export type DrainPace = "full" | "careful" | "reduced";

/** The maximum in flight, and the pace of backlogs. */
export type WindowLimits = { maxInFlight: number; pace: DrainPace };

/**
 * AIMD, as in TCP: every success adds one request to the window, up to a ceiling that depends on
 * the latency; a batch with congestion halves it, down to one. After a period with only failures
 * the circuit opens: then single probes are sent, less often the longer it lasts, and the first
 * success restarts from the smallest window. A backlog drains only as fast as it does not delay
 * other deliveries.
 */
export function nextHealth(
  health: Health,
  seen: BatchOutcome,
  bounds: WindowLimits,
  now: Date,
): Health {
  const row = nextFailureState(health, seen, now);
  return {
    ...health,
    ...row,
    windowSize: row.probeAt === null ? nextWindow(health, seen, bounds, now) : minWindow,
    throttledUntil:
      seen.throttleMs > 0
        ? laterOf(health.throttledUntil, new Date(now.getTime() + seen.throttleMs))
        : health.throttledUntil,
    lastSuccessAt:
      seen.successes > 0 ? successTime(health.lastSuccessAt, now) : health.lastSuccessAt,
    lastFailureAt: seen.failures > 0 ? now : health.lastFailureAt,
    lastFailure: seen.successes > 0 ? null : (seen.failedAs ?? health.lastFailure),
  };
}

/** Updates the consecutive failures and the circuit after a batch. */
function nextFailureState(health: Health, seen: BatchOutcome, now: Date) {
  if (seen.successes > 0) {
    return { failingSince: null, warnedAt: null, failuresInRow: 0, probeAt: null };
  }
  if (seen.failures === 0) {
    const { failingSince, warnedAt, failuresInRow, probeAt } = health;
    return { failingSince, warnedAt, failuresInRow, probeAt };
  }
  const failingSince = health.failingSince ?? now;
  const failuresInRow = health.failuresInRow + seen.failures;
  const probeAt = nextProbe(failuresInRow, failingSince, now);
  return { failingSince, warnedAt: health.warnedAt, failuresInRow, probeAt };
}

/** The circuit opens after this many failures over this time, without a success. */
const failuresToOpen = 10;

const failingToOpenMs = 5_000;

/** The probe interval is a quarter of the failing time, within these bounds. */
const probeShare = 1 / 4;

const shortestProbePauseMs = 2_000;

const longestProbePauseMs = 120_000;

/** When the next probe may be sent; null while the circuit is closed. */
function nextProbe(failuresInRow: number, failingSince: Date | null, now: Date): Date | null {
  const failingMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  if (failuresInRow < failuresToOpen || failingMs < failingToOpenMs) {
    return null;
  }
  const pauseMs = Math.max(shortestProbePauseMs, failingMs * probeShare);
  return new Date(now.getTime() + Math.min(pauseMs, longestProbePauseMs));
}

function nextWindow(health: Health, seen: BatchOutcome, bounds: WindowLimits, now: Date): number {
  const size = seen.congested ? health.windowSize / 2 : growWindow(health, seen, bounds, now);
  return Math.max(minWindow, size);
}

/** A draining backlog keeps at least this window, whatever the pace. */
const catchUpWindow = 4;

/** The growth per success while a backlog drains at full pace, which is slower. */
const catchUpGrowth = 1 / 20;

/**
 * Beside fresh deliveries, a window changes with time, not with successes: a fast receiver answers
 * thousands of times before it is known what its backlog does to the others.
 */
const carefulGrowthPerSecond = 2;

const reducedToPerSecond = 1 / 2;

/** Adds one per success up to the ceiling; above it, halves the distance each time. */
function growWindow(
  { windowSize: size, lastSuccessAt }: Health,
  { successes, successMs, isCatchingUp }: BatchOutcome,
  { maxInFlight, pace }: WindowLimits,
  now: Date,
): number {
  if (successes === 0) {
    return size;
  }
  const ceiling = windowCeiling(successMs / successes, maxInFlight);
  if (size > ceiling) {
    return Math.max(ceiling, size / 2);
  }
  if (!isCatchingUp || size < catchUpWindow) {
    return Math.min(size + successes, ceiling);
  }
  const seconds = secondsSince(lastSuccessAt, now);
  switch (pace) {
    case "full":
      return Math.min(size + successes * catchUpGrowth, ceiling);
    case "careful":
      return Math.min(size + seconds * carefulGrowthPerSecond, ceiling);
    case "reduced":
      return Math.max(catchUpWindow, size * reducedToPerSecond ** seconds);
  }
}

/** A time that is later than this after now is not that of another process: the clock was set back. */
const maxClockDifferenceMs = 5_000;

/** Not before the time of a faster clock: time would pass twice, and windows change too fast. */
function successTime(earlier: Date | null, now: Date): Date {
  const isOtherClock =
    earlier !== null && earlier.getTime() <= now.getTime() + maxClockDifferenceMs;
  return isOtherClock ? laterOf(earlier, now) : now;
}

/** At most one second: a window is judged by what it has just done. */
function secondsSince(earlier: Date | null, now: Date): number {
  const ms = earlier === null ? 0 : now.getTime() - earlier.getTime();
  return Math.min(Math.max(ms, 0), 1_000) / 1_000;
}

/**
 * A request occupies a worker slot until it is answered, so the window depends on latency as well
 * as on successes.
 */
export const fastAnswerMs = 100;

const slowAnswerMs = 1_000;

/** Medium-latency receivers get a third. */
const mediumShare = 1 / 3;

/** High-latency receivers get this many, so that they cannot occupy all workers. */
export const slowWindow = 4;

function windowCeiling(meanMs: number, maxInFlight: number): number {
  if (meanMs > slowAnswerMs) {
    return Math.min(slowWindow, maxInFlight);
  }
  return meanMs > fastAnswerMs ? Math.max(slowWindow, maxInFlight * mediumShare) : maxInFlight;
}

function laterOf(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}
