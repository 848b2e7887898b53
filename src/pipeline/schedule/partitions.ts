/**
 * In: time. Out: partitions for the next days, expired ones dropped, and gauges about them.
 * Guarantee: without a partition no row is lost: it goes to the default partition, and later moves
 * to its own.
 * On crash: each partition is one transaction; the next pass continues.
 */
import { type Clock, dayMs } from "../../platform/clock.ts";
import { type Db, type Queryable, rowsOf } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import {
  countDefaultRows,
  countDefaultRowsByDay,
  createPartition,
  createPartitionFromDefault,
  type DailyTable,
  dailyTables,
  dayOf,
  type DayPartition,
  dropPartition,
  listDayPartitions,
} from "../ledger/daily-partitions.ts";
import { readOldestNeeded } from "../ledger/delete-old.ts";

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
  const strays = await countDefaultRowsByDay(deps.db, daily);
  const ahead = Array.from({ length: daysAhead + 1 }, (_, plus) => dayOf(today, plus));
  const missed = [...strays.keys()].filter((day) => day >= oldest && day < dayOf(today));
  const there = new Set((await listDayPartitions(deps.db, daily)).map(({ day }) => day));
  for (const day of [...missed, ...ahead].filter((one) => !there.has(one))) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- a handful, each with a lock of its own
      await makeDay(deps, daily, { day, strays: strays.get(day) ?? 0 });
    } catch (thrown) {
      // Until the next pass, the default partition takes the rows.
      const { message: reason } = toError(thrown);
      deps.log.warn({ table: daily.table, day, reason }, "retention.partition_not_made");
    }
  }
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
    await createPartition(db, daily, day);
    return;
  }
  const closedAt = new Date(dayOf(new Date(day), 1)).getTime() + closedAfterMs;
  const isOpen = clock.now().getTime() < closedAt;
  if (isOpen && strays > maxMovedOpen) {
    log.warn({ table: daily.table, day, rows: strays }, "retention.move_postponed");
    return;
  }
  const rows = await createPartitionFromDefault(db, daily, { day, isOpen });
  log.warn({ table: daily.table, day, rows }, "retention.rows_moved");
}

/** Counts stop here: only whether there are any matters. */
const mostCounted = 10_000;

async function updatePartitionGauges(
  { db, clock, metrics }: PartitionDeps,
  daily: DailyTable,
  kept: number,
): Promise<void> {
  if (metrics === undefined) {
    return;
  }
  const { table } = daily;
  const days = await listDayPartitions(db, daily);
  metrics.partitionsAhead.set({ table }, daysMadeAhead(days, clock.now()));
  metrics.defaultPartitionRows.set({ table }, await countDefaultRows(db, daily, mostCounted));
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
  for (const daily of dailyTables) {
    const horizon = dayOf(daysBefore(clock.now(), kept[daily.table]));
    const oldest = needed < horizon ? needed : horizon;
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    const days = await listDayPartitions(db, daily);
    for (const { name } of days.filter(({ day }) => day < oldest)) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each with a short lock of its own
        await dropPartition(db, { name });
        log.info({ partition: name }, "retention.partition_dropped");
      } catch (thrown) {
        log.warn({ partition: name, reason: toError(thrown).message }, "retention.drop_postponed");
      }
    }
  }
}

/** The retention periods of all enterprises, in days. */
export type RetentionSettings = Readonly<{
  /** The distinct retention periods of payloads and of logs. */
  payloadDays: readonly number[];
  logDays: readonly number[];
  /** Changes whenever an enterprise changes its retention. */
  signature: string;
}>;

/** The settings of all enterprises; `retentionDays` is the default. */
export async function readRetentionSettings(
  db: Queryable,
  retentionDays: number,
): Promise<RetentionSettings> {
  const [row] = await rowsOf<{ payload: number[] | null; log: number[] | null; own: string }>(
    db,
    `SELECT array_agg(DISTINCT coalesce(payload_days, days)) AS payload,
       array_agg(DISTINCT coalesce(log_days, days)) AS log,
       md5(string_agg(format('%s/%s/%s', id, payload_days, log_days), ',' ORDER BY id)
         FILTER (WHERE payload_days IS NOT NULL OR log_days IS NOT NULL)) AS own
     FROM enterprises, (SELECT CAST(? AS integer) AS days) AS platform`,
    [retentionDays],
  );
  return {
    payloadDays: row?.payload ?? [retentionDays],
    logDays: row?.log ?? [retentionDays],
    signature: `${retentionDays} ${row?.own ?? ""}`,
  };
}

/**
 * How long partitions are kept. An event row is kept as long as any log, because it says what a
 * delivery was about; its body may be removed earlier.
 */
export function keptDays({ payloadDays, logDays }: RetentionSettings) {
  return {
    events: Math.max(...payloadDays, ...logDays),
    attempts: Math.max(...logDays),
  };
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

/** The horizon, or the time of the oldest event still needed if that is earlier. */
export async function readRetentionHorizon(db: Queryable, horizon: Date): Promise<Date> {
  const oldest = (await readOldestNeeded(db)) ?? horizon;
  return oldest < horizon ? oldest : horizon;
}
