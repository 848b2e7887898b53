import type { Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";

/** How an attempt failed: the status of the answer, or the failure class without one. */
export type FailureResult = { status: number | null; failure: string | null };

/** The health of one subscription's receiver. */
export type Health = {
  subscriptionId: number;
  lastSequence: number;
  /** The concurrency window. Fractions carry slow growth from batch to batch. */
  windowSize: number;
  throttledUntil: Date | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  /** When its administrators were warned; null after a success. */
  warnedAt: Date | null;
  /** Failures since the last success. */
  failuresInRow: number;
  /** Set while the circuit is open: when the next probe may be sent. */
  probeAt: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** The result of the newest failure; null after a success. */
  lastFailure: FailureResult | null;
};

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

/** The maximum in flight, and whether draining backlogs delay other deliveries. */
export type WindowLimits = { maxInFlight: number; isOverloaded: boolean };

type HealthRow = {
  subscription_id: number;
  last_sequence: number;
  window_size: number;
  throttled_until: Date | null;
  failing_since: Date | null;
  warned_at: Date | null;
  failures_in_row: number;
  probe_at: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failure_status: number | null;
  failure: string | null;
};

/** SQL fragment that writes `:health`, a JSON list of `toHealthRow`. The rows are locked. */
export const updateHealthSql = `
    UPDATE subscription_health h
    SET window_size = l.window_size, throttled_until = l.throttled_until,
      failing_since = l.failing_since, warned_at = l.warned_at,
      failures_in_row = l.failures_in_row, probe_at = l.probe_at,
      last_success_at = l.last_success_at, last_failure_at = l.last_failure_at,
      failure_status = l.failure_status, failure = l.failure
    FROM json_to_recordset(CAST(:health AS json)) AS l(subscription_id bigint,
      window_size double precision, throttled_until timestamptz, failing_since timestamptz,
      warned_at timestamptz, failures_in_row integer, probe_at timestamptz,
      last_success_at timestamptz, last_failure_at timestamptz,
      failure_status integer, failure text)
    WHERE h.subscription_id = l.subscription_id`;

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

function nextWindow(health: Health, seen: BatchOutcome, bounds: WindowLimits): number {
  const size = seen.congested ? health.windowSize / 2 : growWindow(health.windowSize, seen, bounds);
  return Math.max(minWindow, size);
}

/** A draining backlog keeps at least this window, whatever the backpressure. */
const catchUpWindow = 4;

/** The growth per success while a backlog drains, which is slower. */
const catchUpGrowth = 1 / 20;

/** Adds one per success up to the ceiling; above it, halves the distance each time. */
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
 * A request occupies a worker slot until it is answered, so the window depends on latency as well
 * as on successes.
 */
export const fastAnswerMs = 100;

const slowAnswerMs = 1_000;

/** Medium-latency receivers get a third. */
const mediumShare = 1 / 3;

/** High-latency receivers get this many, so that they cannot occupy all workers. */
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

/**
 * Locks the health rows until the transaction ends, ordered by id, so that relay, settlements and
 * schedule cannot deadlock. Later reads see everything that the previous holder committed.
 */
export async function lockHealth(
  trx: Trx,
  subscriptionIds: readonly number[],
): Promise<Map<number, Health>> {
  const rows = await preparedRowsOf<HealthRow>(
    trx,
    `SELECT subscription_id, last_sequence, window_size, throttled_until, failing_since, warned_at,
       failures_in_row, probe_at, last_success_at, last_failure_at, failure_status, failure
     FROM subscription_health WHERE subscription_id = ANY(?::bigint[])
     ORDER BY subscription_id FOR UPDATE`,
    [subscriptionIds],
  );
  return new Map(rows.map((row) => [row.subscription_id, toHealth(row)]));
}

function toHealth(row: HealthRow): Health {
  return {
    subscriptionId: row.subscription_id,
    lastSequence: row.last_sequence,
    windowSize: row.window_size,
    throttledUntil: row.throttled_until,
    failingSince: row.failing_since,
    warnedAt: row.warned_at,
    failuresInRow: row.failures_in_row,
    probeAt: row.probe_at,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    lastFailure:
      row.failure_status === null && row.failure === null
        ? null
        : { status: row.failure_status, failure: row.failure },
  };
}

/** A health row as `updateHealthSql` takes it. */
export function toHealthRow(health: Health) {
  return {
    subscription_id: health.subscriptionId,
    window_size: health.windowSize,
    throttled_until: health.throttledUntil,
    failing_since: health.failingSince,
    warned_at: health.warnedAt,
    failures_in_row: health.failuresInRow,
    probe_at: health.probeAt,
    last_success_at: health.lastSuccessAt,
    last_failure_at: health.lastFailureAt,
    failure_status: health.lastFailure?.status ?? null,
    failure: health.lastFailure?.failure ?? null,
  };
}
