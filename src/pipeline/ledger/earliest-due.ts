/**
 * A lower bound for `due_at` of the deliveries of a subscription that may be sent. A scan of what is
 * due starts there, not at the index entries of all that were sent since the last VACUUM.
 *
 * It may be wrong: a transition that makes an earlier delivery due again without the health lock does
 * not lower it. So it is used for a second at most, and then read from the index again.
 */

/** How long a stored bound is used. */
export const earliestDueForSql = "interval '1 second'";

/**
 * A statement that asks for due deliveries reads everything again when a stored bound is about to
 * end, so that those that only look never do. A little longer than `askMs` and the time that steady
 * results wait to be stored together.
 */
const renewEarlySql = "interval '350 ms'";

/**
 * A bound is used at once by statements whose `now` is this much earlier: clocks differ a little, and
 * a statement may have waited for the one that stored the bound. After a clock was set back further,
 * it is not used.
 */
const earlierNowSql = "interval '250 ms'";

/** A bound is never later than this before now: clocks differ a little, and commits take time. */
export const earliestDueMarginSql = "interval '1 second'";

/** While nothing is due, the bound moves along in steps: each one writes the health row. */
export const earliestDueStepSql = "interval '350 ms'";

/** Whether a statement that stores a new bound may use that of the health row `h`. Binds `:now`. */
export const isEarliestDueKnownSql = isKnownSql(`CAST(:now AS timestamptz) + ${renewEarlySql}`);

/** The bound of the health row `h`, for statements that store a new one. Binds `:now`. */
export const renewedEarliestDueSql = boundSql(isEarliestDueKnownSql);

/** The bound of the health row `h`, for statements that only look. Binds `:now`. */
export const earliestDueSql = boundSql(isKnownSql("CAST(:now AS timestamptz)"));

function isKnownSql(after: string): string {
  return `(h.earliest_due_until > ${after}
      AND h.earliest_due_until <= CAST(:now AS timestamptz) + ${earliestDueForSql} + ${earlierNowSql})`;
}

function boundSql(isKnown: string): string {
  return `CASE WHEN ${isKnown} THEN h.earliest_due_at ELSE '-infinity' END`;
}

/**
 * SET clause of the relay for the health row `h`: its deliveries are due since the time at which it
 * read their events, which may be long before its commit. Binds `:now`.
 */
export const includeDueNowSql =
  "earliest_due_at = least(h.earliest_due_at, CAST(:now AS timestamptz))";

/**
 * SET clause of a settlement for the health row `h`: the successors that it releases, rows of
 * `released`, are as old as their fan-out.
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
