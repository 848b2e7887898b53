import { rowsOf, type Trx } from "../../platform/db/pool.ts";

/** What the deliveries of one subscription taught us so far. */
export type Health = {
  subscriptionId: number;
  lastSequence: number;
  /** How many requests may be in flight. Fractions carry slow growth from batch to batch. */
  windowSize: number;
  throttledUntil: Date | null;
  failingSince: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
};

/** What one batch of settled attempts says about a subscription. */
export type Experience = {
  successes: number;
  /** Answers slower than `slowAnswerMs`: they succeed, but must not fill the workers. */
  slowSuccesses: number;
  failures: number;
  /** Failures that say "too much": time-outs, connection errors, 429, 503. */
  congested: boolean;
  throttleMs: number;
};

export const noExperience: Experience = {
  successes: 0,
  slowSuccesses: 0,
  failures: 0,
  congested: false,
  throttleMs: 0,
};

/** An answer that takes longer than this does not earn a larger window. */
export const slowAnswerMs = 1_000;

/** Slow receivers keep this many requests in flight, so that they can never fill the workers. */
const slowWindow = 4;

/** The probe of a failing subscription: one request at a time. */
const smallestWindow = 1;

const grow = (size: number, seen: Experience, most: number): number => {
  const quick = seen.successes - seen.slowSuccesses;
  if (seen.slowSuccesses > quick) {
    return Math.max(Math.min(size, slowWindow), size / 2);
  }
  return Math.min(size + quick, most);
};

const later = (a: Date | null, b: Date): Date => (a !== null && a > b ? a : b);

/**
 * The window moves like TCP's: every quick success earns one more request in flight, and a batch
 * that met congestion halves it, down to one probe at a time. `most` caps it.
 */
export const nextHealth = (health: Health, seen: Experience, most: number, now: Date): Health => {
  const hasSucceeded = seen.successes > 0;
  const size = seen.congested ? health.windowSize / 2 : grow(health.windowSize, seen, most);
  return {
    ...health,
    windowSize: Math.max(smallestWindow, size),
    throttledUntil:
      seen.throttleMs > 0
        ? later(health.throttledUntil, new Date(now.getTime() + seen.throttleMs))
        : health.throttledUntil,
    failingSince: hasSucceeded ? null : (health.failingSince ?? (seen.failures > 0 ? now : null)),
    lastSuccessAt: hasSucceeded ? now : health.lastSuccessAt,
    lastFailureAt: seen.failures > 0 ? now : health.lastFailureAt,
  };
};

type HealthRow = {
  subscription_id: number;
  last_sequence: number;
  window_size: number;
  throttled_until: Date | null;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
};

/**
 * Locks the health rows of these subscriptions until the transaction ends, always in the order of
 * their ids, so that relay, settling and schedule take turns and never deadlock. What is read
 * after it sees everything the previous holder committed.
 */
export const lockHealth = async (
  trx: Trx,
  subscriptionIds: readonly number[],
): Promise<Map<number, Health>> => {
  const rows = await rowsOf<HealthRow>(
    trx,
    `SELECT subscription_id, last_sequence, window_size, throttled_until, failing_since,
       last_success_at, last_failure_at
     FROM subscription_health WHERE subscription_id = ANY(?::bigint[])
     ORDER BY subscription_id FOR UPDATE`,
    [subscriptionIds],
  );
  return new Map(rows.map((row) => [row.subscription_id, toHealth(row)]));
};

const toHealth = (row: HealthRow): Health => ({
  subscriptionId: row.subscription_id,
  lastSequence: row.last_sequence,
  windowSize: row.window_size,
  throttledUntil: row.throttled_until,
  failingSince: row.failing_since,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
});
