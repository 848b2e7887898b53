/**
 * In: subscriptions that have been off for long. Out: their paused deliveries, cancelled, the oldest
 * first. Guarantee: no successor overtakes a delivery that is still on its way to `paused`.
 * On crash: the caller's transaction is all there is; the next pass goes on.
 */
import { rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { moveDeliveries, notPausedProbesSql } from "./backlog-states.ts";
import { moveSql } from "./state-sql.ts";

/** The last time a subscription was switched off, by its revisions. */
const offSinceSql = `
  (SELECT min(r.valid_from) FROM subscription_revisions r
   WHERE r.subscription_id = s.id AND r.revision > (
     SELECT coalesce(max(a.revision), 0) FROM subscription_revisions a
     WHERE a.subscription_id = s.id AND a.is_active))`;

/** Subscriptions that have been off since before that time and have something paused. */
export async function listLongOff(db: Db, before: Date): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    `SELECT s.id FROM subscriptions s
     CROSS JOIN LATERAL (
       SELECT 1 FROM deliveries d WHERE d.subscription_id = s.id AND d.state = 'paused'
       ORDER BY d.sequence LIMIT 1
     ) AS paused
     WHERE NOT s.is_active AND ${offSinceSql} < ?
     ORDER BY s.id`,
    [before],
  );
  return rows.map((row) => row.id);
}

/**
 * Whether it is still so, asked under the health lock, which whoever switches on takes as well.
 * And whether all of it is paused: after a long standstill an older one may still be on its way to
 * that, and must not be overtaken by a successor that is released.
 */
export async function isLongOffAndPaused(trx: Trx, id: number, before: Date): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `SELECT 1 FROM subscriptions s
     WHERE s.id = ? AND NOT s.is_active AND ${offSinceSql} < ?
       AND NOT EXISTS (${notPausedProbesSql})
       AND NOT EXISTS (
         SELECT 1 FROM deliveries d WHERE d.subscription_id = s.id AND d.state = 'sending')`,
    [id, before],
  );
  return rows.length > 0;
}

// The oldest first, and none is skipped: what is left then waits for nothing but what is left.
// A successor inside the batch is cancelled with it; one row cannot be changed twice in a statement.
const cancelPausedSql = `
  WITH old AS MATERIALIZED (
    SELECT id, sequence FROM deliveries
    WHERE subscription_id = :subscriptionId AND state = 'paused'
    ORDER BY sequence LIMIT :limit FOR UPDATE
  ), moved AS (
    UPDATE deliveries d SET ${moveSql("cancel")}, ended_at = :now,
      end_reason = 'off_too_long', waits_for = NULL
    WHERE d.id IN (SELECT id FROM old)
    RETURNING d.id
  ), released AS (
    UPDATE deliveries next SET waits_for = NULL
    FROM old
    WHERE next.subscription_id = :subscriptionId AND next.waits_for = old.sequence
      AND next.id NOT IN (SELECT id FROM old)
  )
  SELECT count(*) AS count FROM moved`;

/**
 * Cancels at most `limit` paused deliveries, oldest first, and releases their successors. The caller
 * holds the health lock and has seen `isLongOffAndPaused` under it: so no successor is
 * added and the subscription is not switched on meanwhile. Returns how many it cancelled.
 */
export async function cancelPausedDeliveries(
  trx: Trx,
  subscriptionId: number,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return moveDeliveries(trx, cancelPausedSql, { subscriptionId, limit, now });
}
