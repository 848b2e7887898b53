/**
 * In: a day, or a batch of rows. Out: the daily partitions of `events` and `attempts` created,
 * filled from the default partition, and dropped.
 * Guarantee: each row is in exactly one partition at any time.
 * On crash: each partition is one transaction.
 */
import { rowsOf, tablesSchema, type Db, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { dayMs } from "../../platform/clock.ts";

/** The tables with daily partitions, and their partition columns. */
export const dailyTables = [
  { table: "events", column: "occurred_at" },
  { table: "attempts", column: "started_at" },
] as const;

export type DailyTable = (typeof dailyTables)[number];

/** A partition and its day in UTC. */
export type DayPartition = { name: string; day: string };

/** The day of a time in UTC, some days later: `2027-03-01`. */
export function dayOf(date: Date, plusDays = 0): string {
  return new Date(date.getTime() + plusDays * dayMs).toISOString().slice(0, 10);
}

/** The daily partitions, oldest first, without the default partition. */
export async function listDayPartitions(
  db: Queryable,
  { table }: Pick<DailyTable, "table">,
): Promise<DayPartition[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = CAST(? AS regclass) ORDER BY 1`,
    [`${tablesSchema}.${table}`],
  );
  return rows.flatMap(({ name }) => {
    const [, year, month, date] = /_(\d{4})(\d\d)(\d\d)$/u.exec(name) ?? [];
    return year === undefined ? [] : [{ name, day: `${year}-${month}-${date}` }];
  });
}

/** Creates an empty partition. Fails if the default partition has rows of the day. */
export function createPartition(db: Db, { table }: DailyTable, day: string): Promise<void> {
  return inTransaction(db, async (trx) => {
    await prepareForDdl(trx);
    await trx.raw(
      `CREATE TABLE IF NOT EXISTS ${partitionName(table, day)} PARTITION OF ${table}
       FOR VALUES ${partitionBounds(day)}`,
    );
  });
}

/**
 * Postgres refuses a partition while the default one holds rows of its range. So a new table is
 * filled with them and then attached, in one transaction, so that readers see each row exactly
 * once. Writers of a current day are locked out: otherwise the default partition that they had
 * chosen would refuse their rows. Returns the number of rows.
 */
export function createPartitionFromDefault(
  db: Db,
  daily: DailyTable,
  { day, isOpen }: { day: string; isOpen: boolean },
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { table } = daily;
    const name = partitionName(table, day);
    await prepareForDdl(trx);
    if (isOpen) {
      await trx.raw(`LOCK TABLE ONLY ${table} IN SHARE ROW EXCLUSIVE MODE`);
    }
    await trx.raw(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL EXCLUDING IDENTITY)`);
    const moved = await moveRows(trx, daily, day);
    await trx.raw(
      `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES ${partitionBounds(day)}`,
    );
    return moved;
  });
}

const moveBatch = 5_000;

/** Moves the rows of a day out of the default partition, by id. */
async function moveRows(trx: Trx, { table, column }: DailyTable, day: string): Promise<number> {
  const name = partitionName(table, day);
  let moved = 0;
  let after = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- batches: each stays below the statement's time
    const last = await findBatchEnd(trx, `${table}_default`, { after, limit: moveBatch });
    if (last === null) {
      return moved;
    }
    // oxlint-disable-next-line no-await-in-loop -- batches: each stays below the statement's time
    const rows = await rowsOf<{ count: number }>(
      trx,
      `WITH taken AS (
         DELETE FROM ${table}_default
         WHERE id > ? AND id <= ? AND ${column} >= ? AND ${column} < ? RETURNING *
       ), put AS (INSERT INTO ${name} SELECT * FROM taken RETURNING 1)
       SELECT count(*) AS count FROM put`,
      [after, last, new Date(day), new Date(dayOf(new Date(day), 1))],
    );
    moved += rows[0]?.count ?? 0;
    after = last;
  }
}

/** The last id of a batch of a partition; null if there is no row after `after`. */
export async function findBatchEnd(
  db: Queryable,
  partition: string,
  { after, limit }: { after: number; limit: number },
): Promise<number | null> {
  const [row] = await rowsOf<{ last: number | null }>(
    db,
    `SELECT max(id) AS last
     FROM (SELECT id FROM ${partition} WHERE id > ? ORDER BY id LIMIT ?) AS ids`,
    [after, limit],
  );
  return row?.last ?? null;
}

/** Rows of each day in the default partition, which is usually empty. */
export async function countDefaultRowsByDay(
  db: Db,
  { table, column }: DailyTable,
): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ day: string; count: number }>(
    db,
    `SELECT to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS count
     FROM ${table}_default GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map(({ day, count }) => [day, count]));
}

/** The number of rows in the default partition, counted up to `limit`. */
export async function countDefaultRows(
  db: Db,
  { table }: DailyTable,
  limit: number,
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${table}_default LIMIT ?) AS counted`,
    [limit],
  );
  return row?.count ?? 0;
}

/** Drops a partition with its rows. */
export function dropPartition(db: Db, { name }: Pick<DayPartition, "name">): Promise<void> {
  return inTransaction(db, async (trx) => {
    await prepareForDdl(trx);
    await trx.raw(`DROP TABLE IF EXISTS ${name}`);
  });
}

function partitionName(table: string, day: string): string {
  return `${table}_${day.replaceAll("-", "")}`;
}

function partitionBounds(day: string): string {
  return `FROM ('${day} 00:00:00+00') TO ('${dayOf(new Date(day), 1)} 00:00:00+00')`;
}

const lockTimeoutMs = 500;

/** Limits waits for locks. In place of a table, the search path may find a view of its new names. */
function prepareForDdl(trx: Trx) {
  return trx.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms';
    SET LOCAL search_path TO ${tablesSchema}`);
}
