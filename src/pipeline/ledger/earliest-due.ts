/**
 * A lower bound for `due_at` of the deliveries of a subscription that may be sent. A scan of what is
 * due starts there, not at the index entries of all that were sent since the last VACUUM.
 *
 * It may be wrong: a transition that makes an earlier delivery due again without the health lock does
 * not lower it. So it is used for a second only, and then read from the index again.
 */

/** How long a stored bound is used. */
export const earliestDueForSql = "interval '1 second'";

/** A bound is never later than this before now: clocks differ, and commits take time. */
export const earliestDueMarginSql = "interval '5 seconds'";

/** While nothing is due, the bound moves along in steps: each one writes the health row. */
export const earliestDueStepSql = "interval '250 ms'";

/** Whether the bound of the health row `h` may be used. Binds `:now`. */
export const isEarliestDueKnownSql = `(h.earliest_due_until > CAST(:now AS timestamptz)
      AND h.earliest_due_until <= CAST(:now AS timestamptz) + ${earliestDueForSql})`;

/** The bound of the health row `h`. Binds `:now`. */
export const earliestDueSql = `CASE WHEN ${isEarliestDueKnownSql} THEN h.earliest_due_at
      ELSE '-infinity' END`;

/**
 * SET clause of a settlement for the health row `h`: the successors that it releases, rows of
 * `released`, are as old as their events.
 */
export const lowerEarliestDueSql = `earliest_due_at = least(h.earliest_due_at,
      (SELECT min(due_at) FROM released WHERE released.subscription_id = h.subscription_id))`;

/** Times in ms: when a process last asked for due deliveries, and when it last saw any. */
export type DueSeen = { askedMs: number; dueMs: number };

/**
 * For so long after something was due, more is expected. It is also asked for at least so often,
 * which keeps the stored bound close to now.
 */
const askMs = 250;

/** Whether a settlement tries to enqueue, which costs more than storing a result. */
export function mayBeDue(seen: DueSeen | undefined, nowMs: number): boolean {
  return seen === undefined || isDueExpected(seen, nowMs) || sinceMs(seen.askedMs, nowMs) >= askMs;
}

/** Whether something was due a moment ago. */
export function isDueExpected(seen: DueSeen, nowMs: number): boolean {
  return sinceMs(seen.dueMs, nowMs) < askMs;
}

/** The clock may be set back. */
function sinceMs(ms: number, nowMs: number): number {
  return Math.abs(nowMs - ms);
}
