/**
 * Makes deliveries due again: their job could not be added or was lost, their subscription was
 * throttled or its circuit just opened, their receiver does not answer, or their worker died. The raised generation makes the ledger
 * refuse a late job or worker.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import type { DeliverJob } from "../../contracts/jobs.ts";
import { namedRowsOf, rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { isUnreservedSql, neverReservedSql } from "./reservation.ts";
import { allowsSql, moveSql, requeueSetSql } from "./state-sql.ts";

const requeueSql = `
  UPDATE deliveries d
  SET ${requeueSetSql}
  FROM unnest(?::bigint[], ?::integer[]) AS job(id, generation)
  WHERE d.id = job.id AND d.generation = job.generation AND ${allowsSql("requeue")}`;

/**
 * Deliveries whose jobs could not be added. Some of the jobs may exist nevertheless, so those that
 * were reserved for theirs are left to the sweeper.
 */
export async function requeue(trx: Trx, jobs: readonly DeliverJob[]): Promise<void> {
  await rowsOf(trx, `${requeueSql} AND ${neverReservedSql("d.lease_until")}`, toArrays(jobs));
}

/** Deliveries whose jobs the caller holds, and does not send. */
export async function requeueUnsent(db: Db, jobs: readonly DeliverJob[]): Promise<void> {
  await rowsOf(db, requeueSql, toArrays(jobs));
}

function toArrays(jobs: readonly DeliverJob[]): number[][] {
  return [jobs.map((job) => job.deliveryId), jobs.map((job) => job.generation)];
}

/**
 * All queued and unclaimed deliveries of subscriptions that were throttled or whose circuit just
 * opened, except those with fresh jobs. The caller holds their health locks.
 */
export async function requeueSubscriptions(
  trx: Trx,
  subscriptionIds: readonly number[],
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE deliveries d
     SET ${requeueSetSql}
     FROM (SELECT id FROM deliveries
           WHERE subscription_id = ANY(?::bigint[]) AND ${allowsSql("requeue", "state")}
             AND ${neverReservedSql()}
           ORDER BY id FOR UPDATE SKIP LOCKED) AS queued
     WHERE d.id = queued.id`,
    [subscriptionIds],
  );
}

/** Jobs of reserved deliveries may be lost together with a worker that was sending them. */
const requeueLostSql = `
  WITH lost AS MATERIALIZED (
    SELECT id, enterprise_id, attempts, lease_until IS NOT NULL AS was_reserved FROM deliveries
    WHERE ${allowsSql("requeue", "state")} AND object = :object AND queued_at < :queued
      AND ${isUnreservedSql(":reserved")}
    ORDER BY id FOR UPDATE SKIP LOCKED
  ), requeued AS (
    UPDATE deliveries d SET ${requeueSetSql} FROM lost WHERE d.id = lost.id
  ), interrupted AS (
    ${insertInterruptedSql(":now", "The job, or the worker that was sending it, was lost")}
    FROM lost WHERE was_reserved
  )
  SELECT id FROM lost`;

/** What counts as lost: queued before one time, and not reserved any more at the other. */
export type LostBefore = { queued: Date; reserved: Date };

/**
 * Requeues deliveries of one object kind whose jobs are lost. Whether a reserved one was sent is
 * unknown, so its attempt is recorded as interrupted. Returns how many.
 */
export async function requeueLost(
  db: Db,
  object: ObjectKind,
  before: LostBefore & { now: Date },
): Promise<number> {
  return (await namedRowsOf(db, requeueLostSql, { object, ...before })).length;
}

/** Object kinds with a delivery that has been queued since before that time. */
export async function listObjectsWithOldJobs(db: Db, before: Date): Promise<Set<ObjectKind>> {
  const rows = await preparedRowsOf<{ object: ObjectKind }>(
    db,
    `SELECT DISTINCT object FROM deliveries WHERE ${allowsSql("requeue", "state")} AND queued_at < ?`,
    [before],
  );
  return new Set(rows.map(({ object }) => object));
}

/**
 * Ends expired leases. The attempt is recorded as interrupted and does not count: whether the
 * receiver got the request is unknown. Returns how many.
 */
export async function expireLeases(db: Db, now: Date): Promise<number> {
  const rows = await preparedRowsOf(
    db,
    `WITH ended AS (
       UPDATE deliveries d
       SET ${moveSql("expireLease")}, generation = d.generation + 1, lease_until = NULL
       FROM (SELECT id FROM deliveries
             WHERE ${allowsSql("expireLease", "state")} AND lease_until < ?
             ORDER BY id FOR UPDATE SKIP LOCKED) AS dead
       WHERE d.id = dead.id RETURNING d.id, d.enterprise_id, d.attempts
     )
     ${insertInterruptedSql("?", "The worker stopped before it could store the result")}
     FROM ended RETURNING delivery_id`,
    [now, now],
  );
  return rows.length;
}

/** Inserts an interrupted attempt for each row of the FROM clause that follows. */
export function insertInterruptedSql(now: string, detail: string): string {
  return `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, is_counted,
      duration_ms, failure, failure_detail)
    SELECT enterprise_id, ${now}, id, attempts + 1, false, 0, 'interrupted', '${detail}'`;
}
