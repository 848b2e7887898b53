/**
 * In: deliveries that wait for an earlier one. Out: those that wait for nothing that could still
 * let them go, free. Guarantee: none goes before one that it has to wait for.
 * On crash: nothing has happened, and the next pass sees the same rows.
 *
 * Whoever ends a delivery, or fails its first try, lets its successor go in the same statement.
 * Here is what no such statement comes for: an order that a subscription no longer asks for, and
 * whatever a fault may have left behind, which would otherwise hold up its object for ever.
 */
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { endedStatesSql, statesSql } from "./state-sql.ts";
import { inFlightStates, liveStates } from "../../contracts/deliveries.ts";

export type ReleaseRange = {
  /** Look only at what waits for a sequence above this one. */
  after: number;
  limit: number;
};

export type ReleaseResult = {
  freed: number;
  /** Where to go on looking; undefined when nothing is left. */
  next: number | undefined;
};

/** Live, and no job or worker is under way that would change the row. */
const notEnqueuedSql = statesSql(liveStates.filter((state) => !inFlightStates.includes(state)));

const releaseSql = `
  WITH looked AS MATERIALIZED (
    SELECT id, waits_for FROM deliveries
    WHERE subscription_id = :subscriptionId AND waits_for IS NOT NULL AND waits_for > :after
    ORDER BY waits_for FETCH FIRST :limit ROWS WITH TIES
  ), stuck AS MATERIALIZED (
    SELECT looked.id
    FROM looked JOIN subscriptions s ON s.id = :subscriptionId
    LEFT JOIN LATERAL (
      SELECT d.state, d.attempts FROM deliveries d
      WHERE d.subscription_id = s.id AND d.sequence = looked.waits_for LIMIT 1
    ) AS before ON true
    WHERE before.state IS NULL OR before.state IN ${endedStatesSql}
      OR (before.attempts > 0 AND NOT s.is_ordered)
  ), locked AS MATERIALIZED (
    SELECT id FROM deliveries
    WHERE id IN (SELECT id FROM stuck) AND waits_for IS NOT NULL
      AND state IN ${notEnqueuedSql}
    FOR UPDATE SKIP LOCKED
  ), freed AS (
    UPDATE deliveries SET waits_for = NULL WHERE id IN (SELECT id FROM locked) RETURNING id
  )
  SELECT count(*) AS looked, max(waits_for) AS last, (SELECT count(*) FROM freed) AS freed
  FROM looked`;

/**
 * Lets go, of the next `limit` waiting deliveries of a subscription, those whose predecessor has
 * ended or is not there, and without `ordered` those whose predecessor has had its first try.
 *
 * Right without the health lock: what has ended never comes back, attempts are never undone, and a
 * delivery becomes visible together with its predecessor or after it. Rows that somebody holds are
 * skipped, never waited for, so no lock order is broken.
 */
export async function releaseStuckSuccessors(
  db: Queryable,
  subscriptionId: number,
  { after, limit }: ReleaseRange,
): Promise<ReleaseResult> {
  const result: { rows: { looked: number; last: number | null; freed: number }[] } = await db.raw(
    releaseSql,
    { subscriptionId, after, limit },
  );
  const { looked, last, freed } = result.rows[0] ?? { looked: 0, last: null, freed: 0 };
  return { freed, next: looked < limit ? undefined : (last ?? undefined) };
}

/** The subscriptions in which something waits. One index probe for each. */
export async function listBlockedSubscriptions(db: Queryable): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    `SELECT s.id FROM subscriptions s
     CROSS JOIN LATERAL (
       SELECT 1 FROM deliveries d WHERE d.subscription_id = s.id AND d.waits_for IS NOT NULL
       ORDER BY d.waits_for LIMIT 1
     ) AS waiting
     ORDER BY s.id`,
  );
  return rows.map((row) => row.id);
}
