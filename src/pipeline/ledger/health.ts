/** How an attempt failed: the status of the answer, or why there was none. */
export type FailureResult = { status: number | null; failure: string | null };

/** What the results of one subscription say about its receiver so far. */
export type Health = {
  subscriptionId: number;
  lastSequence: number;
  /** How many requests may be in flight. Fractions carry slow growth from batch to batch. */
  windowSize: number;
  throttledUntil: Date | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  /** When its administrators were warned that it only fails; null after a success. */
  warnedAt: Date | null;
  /** Failures since the last success. */
  failuresInRow: number;
  /** Set while the circuit is open: then one request, a probe, may go. */
  probeAt: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** Of the newest failure; null after a success. */
  lastFailure: FailureResult | null;
};

/** What one batch of settled attempts says about a subscription. */
export type BatchOutcome = {
  successes: number;
  /** How long the answers of the successes took, all together. */
  successMs: number;
  failures: number;
  /** How one of the failures ended; null without any. */
  failedAs: FailureResult | null;
  /** An attempt of it began long after its event: a backlog drains. */
  isCatchingUp: boolean;
  /** Failures that say "too much": time-outs, connection errors, 429, 503. */
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

/** The probe of a failing subscription: one request at a time. */
const minWindow = 1;

/** The most that may be in flight, and whether backlogs that drain delay the others. */
export type WindowLimits = { maxInFlight: number; isOverloaded: boolean };

/**
 * The window moves like TCP's: every success earns one more request in flight, up to a ceiling that
 * the speed of the answers sets, and a batch that met congestion halves it, down to one. Nothing but
 * failures for a while opens the circuit: then single probes go, rarer the longer it lasts, and the
 * first success starts softly from the smallest window. A backlog drains only as fast as it does not
 * delay the deliveries of others.
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
    windowSize: row.probeAt === null ? nextWindow(health, seen, bounds) : minWindow,
    throttledUntil:
      seen.throttleMs > 0
        ? laterOf(health.throttledUntil, new Date(now.getTime() + seen.throttleMs))
        : health.throttledUntil,
    lastSuccessAt: seen.successes > 0 ? now : health.lastSuccessAt,
    lastFailureAt: seen.failures > 0 ? now : health.lastFailureAt,
    lastFailure: seen.successes > 0 ? null : (seen.failedAs ?? health.lastFailure),
  };
}

/** Failures in a row, and the circuit, after the batch. */
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

/** Nothing but failures, so many and for so long, opens the circuit. */
const failuresToOpen = 10;

const failingToOpenMs = 5_000;

/** Between two probes: a quarter of how long the receiver has failed by now, within these bounds. */
const probeShare = 1 / 4;

const shortestProbePauseMs = 2_000;

const longestProbePauseMs = 120_000;

/** When the next probe may go; null while the circuit is closed. */
function nextProbe(failuresInRow: number, failingSince: Date | null, now: Date): Date | null {
  const failingMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  if (failuresInRow < failuresToOpen || failingMs < failingToOpenMs) {
    return null;
  }
  const pauseMs = Math.max(shortestProbePauseMs, failingMs * probeShare);
  return new Date(now.getTime() + Math.min(pauseMs, longestProbePauseMs));
}

function nextWindow(health: Health, seen: BatchOutcome, bounds: WindowLimits): number {
  const size = seen.congested ? health.windowSize / 2 : growWindow(health.windowSize, seen, bounds);
  return Math.max(minWindow, size);
}

/** A backlog that drains keeps at least this many in flight, whatever the backpressure. */
const catchUpWindow = 4;

/** What a success earns while a backlog drains: so much slower is the growth. */
const catchUpGrowth = 1 / 20;

/** One more for every success up to the ceiling; above it, half at a time down to the ceiling. */
function growWindow(
  size: number,
  seen: BatchOutcome,
  { maxInFlight, isOverloaded }: WindowLimits,
): number {
  const { successes, successMs, isCatchingUp } = seen;
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
  return isOverloaded
    ? Math.max(catchUpWindow, size * 0.9 - 0.1)
    : Math.min(size + successes * catchUpGrowth, ceiling);
}

/**
 * A request occupies a slot of a worker until it is answered. So the window depends on the latency
 * of the receiver, not only on its successes.
 */
const fastAnswerMs = 100;

const slowAnswerMs = 1_000;

/** Medium-latency receivers get a third. */
const mediumShare = 1 / 3;

/** High-latency receivers get this many, so that they cannot fill the workers. */
const slowWindow = 4;

function windowCeiling(meanMs: number, maxInFlight: number): number {
  if (meanMs > slowAnswerMs) {
    return Math.min(slowWindow, maxInFlight);
  }
  return meanMs > fastAnswerMs ? Math.max(slowWindow, maxInFlight * mediumShare) : maxInFlight;
}

function laterOf(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}
