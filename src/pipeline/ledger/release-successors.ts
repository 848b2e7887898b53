/**
 * In: deliveries that wait for a predecessor. Out: those whose predecessor no longer blocks them,
 * released.
 * Guarantee: none overtakes a predecessor that it has to wait for.
 * On crash: nothing happened; the next pass sees the same rows.
 *
 * The statement that ends a delivery, or records its first attempt, also releases its successor.
 * This pass releases the others: successors in a subscription that turned off ordering, and
 * leftovers of a fault, which would block their object forever.
 */
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { predecessorWithoutSql } from "./predecessors.ts";
import { endedStatesSql, statesSql } from "./state-sql.ts";
import { inFlightStates, liveStates } from "../../contracts/deliveries.ts";

export type ReleaseRange = {
  /** Only deliveries that wait for a sequence above this one. */
  after: number;
  limit: number;
};

export type ReleaseResult = {
  released: number;
  /** Where the next batch starts; undefined when nothing is left. */
  next: number | undefined;
};

/** Live states without a job or a worker that would change the row. */
const notEnqueuedSql = statesSql(liveStates.filter((state) => !inFlightStates.includes(state)));

const releaseSql = `
  WITH scanned AS MATERIALIZED (
    SELECT id, waits_for FROM deliveries
    WHERE subscription_id = :subscriptionId AND waits_for IS NOT NULL AND waits_for > :after
    ORDER BY waits_for FETCH FIRST :limit ROWS WITH TIES
  ), stuck AS MATERIALIZED (
    SELECT scanned.id
    FROM scanned JOIN subscriptions s ON s.id = :subscriptionId
    LEFT JOIN LATERAL (
      SELECT d.state, d.attempts FROM deliveries d
      WHERE d.subscription_id = s.id AND d.sequence = scanned.waits_for LIMIT 1
    ) AS before ON true
    WHERE before.state IS NULL OR before.state IN ${endedStatesSql}
      OR (before.attempts > 0 AND NOT s.is_ordered)
  ), unlocked AS MATERIALIZED (
    SELECT id FROM deliveries
    WHERE id IN (SELECT id FROM stuck) AND waits_for IS NOT NULL
      AND state IN ${notEnqueuedSql}
    FOR UPDATE SKIP LOCKED
  ), released AS (
    -- Usually null. If the predecessor ended as it was inserted, there may be an older live one.
    UPDATE deliveries next
    SET waits_for = ${predecessorWithoutSql({ isOrdered: "s.is_ordered", ended: "SELECT id FROM unlocked WHERE false" })}
    FROM subscriptions s
    WHERE s.id = :subscriptionId AND next.id IN (SELECT id FROM unlocked) RETURNING next.id
  )
  SELECT count(*) AS scanned, max(waits_for) AS last, (SELECT count(*) FROM released) AS released
  FROM scanned`;

/**
 * Checks the next `limit` waiting deliveries of a subscription. Releases those whose predecessor
 * has ended or is missing, and without `ordered` those whose predecessor had its first attempt.
 *
 * Safe without the health lock: ended deliveries never come back, attempts are never undone, and a
 * delivery becomes visible with its predecessor or later. Locked rows are skipped, so no lock order
 * is violated.
 */
export async function releaseStuckSuccessors(
  db: Queryable,
  subscriptionId: number,
  { after, limit }: ReleaseRange,
): Promise<ReleaseResult> {
  const result: { rows: { scanned: number; last: number | null; released: number }[] } =
    await db.raw(releaseSql, { subscriptionId, after, limit });
  const { scanned, last, released } = result.rows[0] ?? { scanned: 0, last: null, released: 0 };
  return { released, next: scanned < limit ? undefined : (last ?? undefined) };
}

/** Subscriptions with a waiting delivery. One index probe each. */
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
