/**
 * In: a subscription that was switched off, switched on or deleted. Out: its live deliveries in the
 * state that follows.
 * Guarantee: deliveries being sent are left to their workers. All others move, and their jobs are
 * refused, because the generation is raised.
 * On crash: nothing is lost. Claim and enqueue check the subscription itself; these states only
 * follow it, in batches, because there may be a million deliveries.
 */
import { rowsOf, type Queryable, type Db, type Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { neverReservedSql } from "./reservation.ts";
import { blockedSql, firstAttemptsSql, laterAttemptsSql, moveSql } from "./state-sql.ts";

/** The move that the live deliveries of a subscription need. */
export type BacklogMove = "pause" | "resume" | "cancel";

/** A subscription whose live deliveries do not match its own state yet. */
export type PendingBacklogMove = { subscriptionId: number; move: BacklogMove };

/**
 * Live deliveries that are not being sent; those with fresh jobs may be, and wait for a later batch.
 * Each order matches an index, so that a batch reads only its own rows of a million. Locked rows are
 * skipped: a claim or another batch is changing them.
 */
const notSendingSql = `
  queued AS MATERIALIZED (
    SELECT id FROM deliveries WHERE subscription_id = :subscriptionId AND state = 'queued'
      AND ${neverReservedSql()}
    LIMIT :limit FOR UPDATE SKIP LOCKED
  ), first AS MATERIALIZED (
    SELECT d.id FROM deliveries d WHERE d.subscription_id = :subscriptionId AND ${firstAttemptsSql}
    ORDER BY d.due_at, d.sequence LIMIT :limit FOR UPDATE SKIP LOCKED
  ), later AS MATERIALIZED (
    SELECT d.id FROM deliveries d WHERE d.subscription_id = :subscriptionId AND ${laterAttemptsSql}
    ORDER BY d.due_at, d.sequence LIMIT :limit FOR UPDATE SKIP LOCKED
  ), waiting AS MATERIALIZED (
    SELECT d.id FROM deliveries d WHERE d.subscription_id = :subscriptionId AND ${blockedSql}
    ORDER BY d.sequence LIMIT :limit FOR UPDATE SKIP LOCKED
  )`;

const pausedSql = `
  paused AS MATERIALIZED (
    SELECT id FROM deliveries WHERE subscription_id = :subscriptionId AND state = 'paused'
    ORDER BY sequence LIMIT :limit FOR UPDATE SKIP LOCKED
  )`;

const pauseSql = `
  WITH ${notSendingSql}, moved AS (
    UPDATE deliveries d
    SET ${moveSql("pause")}, generation = d.generation + 1, queued_at = NULL, lease_until = NULL
    WHERE d.id IN (SELECT id FROM queued UNION ALL SELECT id FROM first
      UNION ALL SELECT id FROM later UNION ALL SELECT id FROM waiting)
    RETURNING d.id
  )
  SELECT count(*) AS count FROM moved`;

// One time for the whole batch, and batches in the order of sequences: enqueuing by due time and
// sequence then keeps the order of events.
const resumeSql = `
  WITH ${pausedSql}, moved AS (
    UPDATE deliveries d
    SET ${moveSql("resume")},
      due_at = greatest(d.due_at, now())
    WHERE d.id IN (SELECT id FROM paused)
    RETURNING d.id
  )
  SELECT count(*) AS count FROM moved`;

const cancelSql = `
  WITH ${notSendingSql}, ${pausedSql}, moved AS (
    UPDATE deliveries d
    SET ${moveSql("cancel")}, generation = d.generation + 1, ended_at = clock_timestamp(),
      end_reason = 'webhook_deleted', waits_for = NULL, queued_at = NULL, lease_until = NULL
    WHERE d.id IN (SELECT id FROM queued UNION ALL SELECT id FROM first
      UNION ALL SELECT id FROM later UNION ALL SELECT id FROM waiting UNION ALL SELECT id FROM paused)
    RETURNING d.id
  )
  SELECT count(*) AS count FROM moved`;

export const moveBacklog: Record<BacklogMove, typeof pauseDeliveries> = {
  pause: pauseDeliveries,
  resume: resumeDeliveries,
  cancel: cancelDeliveries,
};

/**
 * Probes for deliveries of subscription `s` that are not paused yet. Each reads the first entry of
 * a partial index, whatever the size of the backlog. With EXISTS, or one probe for all states, the
 * planner would read the table or all paused rows.
 */
const notPausedProbesSql = `
  (SELECT 1 FROM deliveries d
   WHERE NOT s.is_active AND d.subscription_id = s.id AND d.state = 'queued'
     AND ${neverReservedSql("d.lease_until")} LIMIT 1)
  UNION ALL
  (SELECT 1 FROM deliveries d
   WHERE NOT s.is_active AND d.subscription_id = s.id AND ${firstAttemptsSql}
   ORDER BY d.due_at, d.sequence LIMIT 1)
  UNION ALL
  (SELECT 1 FROM deliveries d
   WHERE NOT s.is_active AND d.subscription_id = s.id AND ${laterAttemptsSql}
   ORDER BY d.due_at, d.sequence LIMIT 1)
  UNION ALL
  (SELECT 1 FROM deliveries d
   WHERE NOT s.is_active AND d.subscription_id = s.id AND ${blockedSql}
   ORDER BY d.sequence LIMIT 1)`;

/** When the subscription was last switched off, according to its revisions. */
const offSinceSql = `
  (SELECT min(r.valid_from) FROM subscription_revisions r
   WHERE r.subscription_id = s.id AND r.revision > (
     SELECT coalesce(max(a.revision), 0) FROM subscription_revisions a
     WHERE a.subscription_id = s.id AND a.is_active))`;

/**
 * Pauses live deliveries of a subscription: at most `limit` each of those queued, due, and waiting
 * for a predecessor. Returns how many it moved; 0 when nothing is left.
 */
export async function pauseDeliveries(
  db: Queryable,
  subscriptionId: number,
  limit: number,
): Promise<number> {
  return moveDeliveries(db, pauseSql, { subscriptionId, limit });
}

/** Resumes at most `limit` paused deliveries, oldest first. Returns how many it moved. */
export async function resumeDeliveries(
  db: Queryable,
  subscriptionId: number,
  limit: number,
): Promise<number> {
  return moveDeliveries(db, resumeSql, { subscriptionId, limit });
}

/** Cancels the live deliveries of a deleted subscription, in batches like `pauseDeliveries`. */
export async function cancelDeliveries(
  db: Queryable,
  subscriptionId: number,
  limit: number,
): Promise<number> {
  return moveDeliveries(db, cancelSql, { subscriptionId, limit });
}

const pendingMovesSql = `
  SELECT s.id,
    CASE WHEN s.deleted_at IS NOT NULL THEN 'cancel' WHEN s.is_active THEN 'resume'
      ELSE 'pause' END AS move
  FROM subscriptions s
  CROSS JOIN LATERAL (
    ${notPausedProbesSql}
    UNION ALL
    (SELECT 1 FROM deliveries d
     WHERE (s.is_active OR s.deleted_at IS NOT NULL) AND d.subscription_id = s.id
       AND d.state = 'paused'
     ORDER BY d.sequence LIMIT 1)
    LIMIT 1
  ) AS unsettled
  ORDER BY s.id`;

/**
 * Subscriptions with deliveries to move. A few index probes per subscription, whatever the size of
 * its backlog.
 */
export async function listPendingBacklogMoves(db: Queryable): Promise<PendingBacklogMove[]> {
  const rows = await preparedRowsOf<{ id: number; move: BacklogMove }>(db, pendingMovesSql, []);
  return rows.map((row) => ({ subscriptionId: row.id, move: row.move }));
}

/** Subscriptions that have been off since before that time and have paused deliveries. */
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
 * Rechecks under the health lock, which switching on takes too, that the subscription is off. Also
 * checks that all deliveries are paused: after a long outage an older one may not be paused yet,
 * and a released successor must not overtake it.
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

// Oldest first and without skipping, so that the remaining deliveries depend only on each other. A
// successor inside the batch is cancelled with it: a statement cannot change a row twice.
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
 * Cancels at most `limit` paused deliveries, oldest first, and releases their successors. The
 * caller holds the health lock and has checked `isLongOffAndPaused` under it, so no successor is
 * added and the subscription stays off. Returns how many it cancelled.
 */
export async function cancelPausedDeliveries(
  trx: Trx,
  subscriptionId: number,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return moveDeliveries(trx, cancelPausedSql, { subscriptionId, limit, now });
}

type MoveBindings = { subscriptionId: number; limit: number; now?: Date };

/** Runs a batch statement. Returns how many deliveries it moved. */
async function moveDeliveries(db: Queryable, sql: string, bindings: MoveBindings): Promise<number> {
  const result: { rows: { count: number }[] } = await db.raw(sql, bindings);
  return result.rows[0]?.count ?? 0;
}
