/**
 * In: time. Out: partitions for the next days, expired ones dropped, and gauges about them.
 * Guarantee: without a partition no row is lost: it goes to the default partition, and later moves
 * to its own.
 * On crash: each partition is one transaction; the next pass continues.
 */
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import {
  dailyTables,
  listDayPartitions,
  partitionName,
  type DailyTable,
  type DayPartition,
  dayOf,
  daysBefore,
  keptDays,
  type RetentionSettings,
  readRetentionHorizon,
} from "./retention-settings.ts";

export type PartitionDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  /** Absent if nobody reads the gauges. */
  metrics?: Pick<Metrics, "partitionsAhead" | "defaultPartitionRows" | "partitionOverdue">;
};

/**
 * Creates the partitions of today and the next days, and of past days with rows in the default
 * partition; then sets the gauges. Safe in several processes at once.
 */
export async function makePartitionsFor(
  deps: PartitionDeps,
  settings: RetentionSettings,
): Promise<void> {
  const kept = keptDays(settings);
  for (const daily of dailyTables) {
    const oldest = dayOf(daysBefore(deps.clock.now(), kept[daily.table]));
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    await makeDays(deps, daily, oldest);
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    await updatePartitionGauges(deps, daily, kept[daily.table]);
  }
}

const daysAhead = 3;

async function makeDays(deps: PartitionDeps, daily: DailyTable, oldest: string): Promise<void> {
  const today = deps.clock.now();
  const strays = await countDefaultRows(deps.db, daily);
  const ahead = Array.from({ length: daysAhead + 1 }, (_, plus) => dayOf(today, plus));
  const missed = [...strays.keys()].filter((day) => day >= oldest && day < dayOf(today));
  const there = new Set((await listDayPartitions(deps.db, daily.table)).map(({ day }) => day));
  for (const day of [...missed, ...ahead].filter((one) => !there.has(one))) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- a handful, each with a lock of its own
      await makeDay(deps, daily, { day, strays: strays.get(day) ?? 0 });
    } catch (thrown) {
      // The default partition takes the rows meanwhile.
      const { message: reason } = toError(thrown);
      deps.log.warn({ table: daily.table, day, reason }, "retention.partition_not_made");
    }
  }
}

/** Rows of each day in the default partition, which is usually empty. */
async function countDefaultRows(
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

/** A current day with more rows than this is not moved, because its writers would wait too long. */
const maxMovedOpen = 20_000;

/** A transaction that began on a day may still write a row of it this long after its end. */
const closedAfterMs = 3_600_000;

async function makeDay(
  { db, clock, log }: PartitionDeps,
  daily: DailyTable,
  { day, strays }: { day: string; strays: number },
): Promise<void> {
  if (strays === 0) {
    await makeEmpty(db, daily, day);
    return;
  }
  const closedAt = new Date(dayOf(new Date(day), 1)).getTime() + closedAfterMs;
  const isOpen = clock.now().getTime() < closedAt;
  if (isOpen && strays > maxMovedOpen) {
    log.warn({ table: daily.table, day, rows: strays }, "retention.move_postponed");
    return;
  }
  const rows = await makeFromDefault(db, daily, { day, isOpen });
  log.warn({ table: daily.table, day, rows }, "retention.rows_moved");
}

function makeEmpty(db: Db, { table }: DailyTable, day: string): Promise<void> {
  return inTransaction(db, async (trx) => {
    await limitLockWait(trx);
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
 * chosen would refuse their rows.
 */
function makeFromDefault(
  db: Db,
  daily: DailyTable,
  { day, isOpen }: { day: string; isOpen: boolean },
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { table } = daily;
    const name = partitionName(table, day);
    await limitLockWait(trx);
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
    const [row] = await rowsOf<{ last: number | null }>(
      trx,
      `SELECT max(id) AS last
       FROM (SELECT id FROM ${table}_default WHERE id > ? ORDER BY id LIMIT ?) AS ids`,
      [after, moveBatch],
    );
    if (typeof row?.last !== "number") {
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
      [after, row.last, new Date(day), new Date(dayOf(new Date(day), 1))],
    );
    moved += rows[0]?.count ?? 0;
    after = row.last;
  }
}

function partitionBounds(day: string): string {
  return `FROM ('${day} 00:00:00+00') TO ('${dayOf(new Date(day), 1)} 00:00:00+00')`;
}

/** Counts stop here: only whether there are any matters. */
const mostCounted = 10_000;

async function updatePartitionGauges(
  { db, clock, metrics }: PartitionDeps,
  { table }: DailyTable,
  kept: number,
): Promise<void> {
  if (metrics === undefined) {
    return;
  }
  const days = await listDayPartitions(db, table);
  const [row] = await rowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${table}_default LIMIT ?) AS counted`,
    [mostCounted],
  );
  metrics.partitionsAhead.set({ table }, daysMadeAhead(days, clock.now()));
  metrics.defaultPartitionRows.set({ table }, row?.count ?? 0);
  metrics.partitionOverdue.set({ table }, overdueDays(days, clock.now(), kept));
}

/** Consecutive days from today on that have a partition; 0 if today has none. */
function daysMadeAhead(days: readonly DayPartition[], now: Date): number {
  const there = new Set(days.map(({ day }) => day));
  let ahead = 0;
  while (there.has(dayOf(now, ahead))) {
    ahead += 1;
  }
  return Math.max(0, ahead - 1);
}

/** By how many days the oldest partition exceeds the retention. */
function overdueDays(days: readonly DayPartition[], now: Date, kept: number): number {
  const [oldest] = days;
  const due = new Date(dayOf(daysBefore(now, kept)));
  return oldest === undefined
    ? 0
    : Math.max(0, Math.round((due.getTime() - new Date(oldest.day).getTime()) / 86_400_000));
}

/**
 * Drops partitions whose rows are all past every retention, unless a live delivery or an outbox row
 * needs them.
 */
export async function dropPartitionsFor(
  deps: PartitionDeps,
  settings: RetentionSettings,
): Promise<void> {
  const { db, clock, log } = deps;
  const kept = keptDays(settings);
  const needed = dayOf(await readRetentionHorizon(db, clock.now()));
  for (const { table } of dailyTables) {
    const horizon = dayOf(daysBefore(clock.now(), kept[table]));
    const oldest = needed < horizon ? needed : horizon;
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    const days = await listDayPartitions(db, table);
    for (const { name } of days.filter(({ day }) => day < oldest)) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each with a short lock of its own
        await inTransaction(db, async (trx) => {
          await limitLockWait(trx);
          await trx.raw(`DROP TABLE IF EXISTS ${name}`);
        });
        log.info({ partition: name }, "retention.partition_dropped");
      } catch (thrown) {
        log.warn({ partition: name, reason: toError(thrown).message }, "retention.drop_postponed");
      }
    }
  }
}

const lockTimeoutMs = 500;

function limitLockWait(trx: Trx) {
  return trx.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
}
