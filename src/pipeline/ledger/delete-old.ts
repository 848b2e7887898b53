/**
 * In: rows that end only by age. Out: one batch of them deleted.
 * Guarantee: live deliveries and their attempts stay, whatever their age.
 * On crash: committed batches stay deleted.
 */
import { namedRowsOf, rowsOf, type Db, type Queryable } from "../../platform/db/pool.ts";
import type { DailyTable } from "./daily-partitions.ts";
import { endedStatesSql, liveStatesSql } from "./state-sql.ts";

/** Which rows of a table are too old, by a column that grows with the ids. */
type OldRows = {
  table: string;
  column: string;
  /** Newer rows are kept for every enterprise. */
  before: Date;
  /** An additional condition on the row `r`. */
  where: string;
  bindings?: Readonly<Record<string, unknown>>;
};

/** A batch by id: rows after `after`, at most `limit`. */
export type BatchRange = { after: number; limit: number };

/** `last`: the last id of the batch; undefined if nothing in it is old. */
export type DeletedBatch = { deleted: number; last: number | undefined; isMore: boolean };

/** The retention of enterprises without their own. */
export type DefaultRetention = { now: Date; retentionDays: number };

/** Ids of one partition: after `after`, up to and including `last`. */
export type PartitionRange = { name: string; after: number; last: number };

/**
 * Deletes ended deliveries beyond the log retention of their enterprise; `before`: newer ones are
 * kept for everyone.
 */
export function deleteEndedDeliveries(
  db: Db,
  { before, ...retention }: DefaultRetention & { before: Date },
  range: BatchRange,
): Promise<DeletedBatch> {
  const old = {
    table: "deliveries",
    column: "created_at",
    before,
    where: `r.state IN ${endedStatesSql} AND ${pastLogSql("r.created_at")}`,
    bindings: retention,
  };
  return deleteBatch(db, old, range);
}

/** Rows of a default partition, which is never dropped as a whole. */
export function deleteDefaultRows(
  db: Db,
  { table, column }: DailyTable,
  before: Date,
  range: BatchRange,
): Promise<DeletedBatch> {
  return deleteBatch(db, { table: `${table}_default`, column, before, where: "true" }, range);
}

/** Kept rows are skipped by id, so that a walk reads none twice. */
async function deleteBatch(
  db: Db,
  old: OldRows,
  { after, limit }: BatchRange,
): Promise<DeletedBatch> {
  const { scanned, last, has_old } = await findBatchEnd(db, old, { after, limit });
  if (last === null || has_old !== true) {
    return { deleted: 0, last: undefined, isMore: false };
  }
  const [row] = await namedRowsOf<{ count: number }>(
    db,
    `WITH gone AS (
       DELETE FROM ${old.table} r WHERE r.id > :after AND r.id <= :last
         AND r.${old.column} < :before AND ${old.where} RETURNING r.id
     )
     SELECT count(*) AS count FROM gone`,
    { ...old.bindings, after, last, before: old.before },
  );
  return { deleted: row?.count ?? 0, last, isMore: scanned === limit };
}

type BatchEnd = { scanned: number; last: number | null; has_old: boolean | null };

async function findBatchEnd(
  db: Db,
  { table, column, before }: OldRows,
  { after, limit }: BatchRange,
): Promise<BatchEnd> {
  const [row] = await rowsOf<BatchEnd>(
    db,
    `SELECT count(*) AS scanned, max(id) AS last, bool_or(is_old) AS has_old
     FROM (SELECT id, ${column} < ? AS is_old FROM ${table} WHERE id > ? ORDER BY id LIMIT ?) AS rows`,
    [before, after, limit],
  );
  return row ?? { scanned: 0, last: null, has_old: null };
}

/** A replay is kept as long as a delivery that it created, and as long as the log. */
export async function deleteEndedReplays(
  db: Db,
  { limit, ...retention }: DefaultRetention & { limit: number },
): Promise<void> {
  await namedRowsOf(
    db,
    `DELETE FROM replays WHERE id IN (
       SELECT r.id FROM replays r
       WHERE r.state IN ('done', 'cancelled', 'failed')
         AND ${pastLogSql("coalesce(r.ended_at, r.created_at)")}
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.replay_id = r.id)
       ORDER BY r.id LIMIT :limit)`,
    { ...retention, limit },
  );
}

/** The retention limit of the row's enterprise. */
function pastLogSql(column: string): string {
  return `
  ${column} < CAST(:now AS timestamptz) - interval '24 hours' * coalesce(
    (SELECT n.log_days FROM enterprises n WHERE n.id = r.enterprise_id), :retentionDays)`;
}

/**
 * Deletes attempts beyond the log retention of their enterprise, and orphaned ones. Returns how
 * many are kept because their delivery is live.
 */
export async function deleteOldAttempts(
  db: Db,
  { name, after, last }: PartitionRange,
  retention: DefaultRetention,
): Promise<number> {
  const [row] = await namedRowsOf<{ kept: number }>(
    db,
    `WITH old AS MATERIALIZED (
       SELECT a.id, d.state FROM ${name} a
       LEFT JOIN deliveries d ON d.id = a.delivery_id
       LEFT JOIN enterprises n ON n.id = d.enterprise_id
       WHERE a.id > :after AND a.id <= :last AND (d.id IS NULL OR a.started_at <
         CAST(:now AS timestamptz) - interval '24 hours' * coalesce(n.log_days, :retentionDays))
     ), gone AS (
       DELETE FROM ${name} a USING old
       WHERE a.id = old.id AND (old.state IS NULL OR old.state NOT IN ${liveStatesSql})
     )
     SELECT count(*) FILTER (WHERE state IN ${liveStatesSql}) AS kept FROM old`,
    { after, last, ...retention },
  );
  return row?.kept ?? 0;
}

/** The time of the oldest event in the outbox or with a live delivery. */
export async function readOldestNeeded(db: Queryable): Promise<Date | null> {
  const [row] = await rowsOf<{ oldest: Date | null }>(
    db,
    `SELECT least(
       (SELECT min(occurred_at) FROM outbox),
       (SELECT min(occurred_at) FROM outbox_dead),
       (SELECT min(event_at) FROM deliveries WHERE state IN ${liveStatesSql})) AS oldest`,
  );
  return row?.oldest ?? null;
}
