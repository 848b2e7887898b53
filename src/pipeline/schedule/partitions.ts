/**
 * In: the passing of days. Out: partitions for the days to come, those that are over dropped, and
 * gauges that tell how it stands.
 * Guarantee: a missing partition loses nothing, its rows land in the default one; and they do not
 * stand in the way of the partition for ever: they are moved into it.
 * On crash: each partition is one transaction; the next pass makes and drops what is left.
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
  /** Absent where nobody reads them. */
  metrics?: Pick<Metrics, "partitionsAhead" | "defaultPartitionRows" | "partitionOverdue">;
};

/**
 * Makes the partitions of today and the next days, and of past days whose rows landed in the
 * default one; then sets the gauges. Several processes may do so at once.
 */
export async function makePartitionsFor(
  deps: PartitionDeps,
  terms: RetentionSettings,
): Promise<void> {
  const kept = keptDays(terms);
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

/** How many rows of each day landed in the default partition. Usually it is empty. */
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

/** Of a day that still gets rows, no more are moved: its writers wait meanwhile. */
const maxMovedOpen = 20_000;

/** After a day's end a transaction that began in it may still write one of its rows. */
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
 * Postgres makes no partition while the default one holds rows of its range. So a table of its own
 * is filled with them and then attached: all of it in one transaction, so that a reader finds each
 * row once, before as after. While a day still gets rows its writers are kept out: they would be
 * refused by the default partition that they had already chosen.
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

/** Moves a day's rows out of the default partition, in the order of their ids. */
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

/** Counted up to here: that there are any is what matters. */
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

/** Days in a row, after today, that have a partition; 0 where today has none itself. */
function daysMadeAhead(days: readonly DayPartition[], now: Date): number {
  const there = new Set(days.map(({ day }) => day));
  let ahead = 0;
  while (there.has(dayOf(now, ahead))) {
    ahead += 1;
  }
  return Math.max(0, ahead - 1);
}

/** How many days longer than it has to be the oldest partition is there. */
function overdueDays(days: readonly DayPartition[], now: Date, kept: number): number {
  const [oldest] = days;
  const due = new Date(dayOf(daysBefore(now, kept)));
  return oldest === undefined
    ? 0
    : Math.max(0, Math.round((due.getTime() - new Date(oldest.day).getTime()) / 86_400_000));
}

/**
 * Drops partitions whose every row is older than anybody keeps it, but none that a delivery which
 * has not ended, or an outbox row, still needs.
 */
export async function dropPartitionsFor(
  deps: PartitionDeps,
  terms: RetentionSettings,
): Promise<void> {
  const { db, clock, log } = deps;
  const kept = keptDays(terms);
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
