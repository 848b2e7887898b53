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
  /** How long the answers of the successes took, all together. */
  successMs: number;
  failures: number;
  /** Failures that say "too much": time-outs, connection errors, 429, 503. */
  congested: boolean;
  throttleMs: number;
};

export const noExperience: Experience = {
  successes: 0,
  successMs: 0,
  failures: 0,
  congested: false,
  throttleMs: 0,
};

/**
 * Workers have few places, and a request holds one for as long as its answer takes. So how many a
 * subscription may hold depends on how quick its receiver is, not only on whether it says yes.
 */
const quickAnswerMs = 100;
const slowAnswerMs = 1_000;

/** Of the most that a quick receiver may have, a receiver of middling speed gets this part. */
const middlingShare = 1 / 3;

/** A slow one keeps this many requests in flight, so that it can never fill the workers. */
const slowWindow = 4;

/** The probe of a failing subscription: one request at a time. */
const smallestWindow = 1;

const ceilingOf = (meanMs: number, most: number): number => {
  if (meanMs > slowAnswerMs) {
    return Math.min(slowWindow, most);
  }
  return meanMs > quickAnswerMs ? Math.max(slowWindow, most * middlingShare) : most;
};

/** One more for every success up to the ceiling; above it, half at a time down to the ceiling. */
const grow = (size: number, { successes, successMs }: Experience, most: number): number => {
  if (successes === 0) {
    return size;
  }
  const ceiling = ceilingOf(successMs / successes, most);
  return size > ceiling ? Math.max(ceiling, size / 2) : Math.min(size + successes, ceiling);
};

const later = (a: Date | null, b: Date): Date => (a !== null && a > b ? a : b);

/**
 * The window moves like TCP's: every success earns one more request in flight, up to a ceiling that
 * the speed of the answers sets, and a batch that met congestion halves it, down to one probe.
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
