/**
 * In: days that some enterprises keep for less time than others. Out: their expired bodies and
 * attempts removed.
 * Guarantee: live deliveries keep their event and attempts. If all enterprises have the same
 * retention, nothing happens here: whole partitions are dropped.
 * On crash: completed work stays; after a restart every such day is scanned once more.
 */
import type { Clock, TimeBudget } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { daysBefore, keptDays, type RetentionSettings } from "./partitions.ts";
import {
  dailyTables,
  dayOf,
  findBatchEnd,
  listDayPartitions,
  type DailyTable,
  type DayPartition,
} from "../ledger/daily-partitions.ts";
import { deleteOldAttempts } from "../ledger/delete-old.ts";
import { redactExpiredEvents } from "../ledger/redact.ts";

export type RedactExpiredDeps = { db: Db; clock: Clock; retentionDays: number };

/** The progress of a day: for which retention periods, up to which id. */
type DayProgress = { retention: string; after: number; kept: number; nextAt: number };

/** Progress in memory, so that finished days are not scanned again. */
export type DayProgressByName = Map<string, DayProgress>;

/** Removes from shared days what single enterprises no longer keep. */
export async function redactExpired(
  deps: RedactExpiredDeps,
  {
    settings,
    visits,
    budget,
  }: { settings: RetentionSettings; visits: DayProgressByName; budget: TimeBudget },
): Promise<void> {
  for (const { table } of dailyTables) {
    const limits = { days: daysOf(settings)[table], kept: keptDays(settings)[table] };
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    const days = await listDayPartitions(deps.db, { table });
    for (const day of days) {
      const term = expiredTerm(day, limits, deps.clock.now());
      const key = `${settings.signature} ${term}`;
      const known = visits.get(day.name);
      const visit =
        known?.retention === key ? known : { retention: key, after: 0, kept: 0, nextAt: 0 };
      if (term !== undefined && visit.nextAt <= deps.clock.now().getTime()) {
        visits.set(day.name, visit);
        // oxlint-disable-next-line no-await-in-loop -- one day after the other
        await processDay(deps, { table }, { name: day.name, visit, budget });
      }
    }
    forgetDroppedDays(visits, table, days);
  }
}

function daysOf({ payloadDays, logDays }: RetentionSettings) {
  return { events: payloadDays, attempts: logDays };
}

/**
 * The longest retention period that the whole day has exceeded; undefined for none. Days past the
 * longest period of all are dropped, and processed here only if something keeps their partition.
 */
function expiredTerm(
  { day }: DayPartition,
  { days, kept }: { days: readonly number[]; kept: number },
  now: Date,
): number | undefined {
  const past = days.filter((term) => day < dayOf(daysBefore(now, term + (term === kept ? 1 : 0))));
  return past.length === 0 ? undefined : Math.max(...past);
}

const batchSize = 2_000;

/** A day with a live delivery is scanned again after this time. */
const revisitMs = 3_600_000;

/** Each returns how many rows it has to keep for now. */
const processors = { events: redactExpiredEvents, attempts: deleteOldAttempts };

/** Processes one day, from its stored progress. */
async function processDay(
  deps: RedactExpiredDeps,
  { table }: Pick<DailyTable, "table">,
  { name, visit, budget }: { name: string; visit: DayProgress; budget: TimeBudget },
): Promise<void> {
  while (!budget.isSpent()) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const last = await findBatchEnd(deps.db, name, { after: visit.after, limit: batchSize });
    if (last === null) {
      const isDone = visit.kept === 0;
      visit.nextAt = isDone ? Infinity : deps.clock.now().getTime() + revisitMs;
      visit.after = 0;
      visit.kept = 0;
      return;
    }
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    visit.kept += await processors[table](
      deps.db,
      { name, after: visit.after, last },
      { now: deps.clock.now(), retentionDays: deps.retentionDays },
    );
    visit.after = last;
  }
}

function forgetDroppedDays(
  visits: DayProgressByName,
  table: string,
  days: readonly DayPartition[],
): void {
  const there = new Set(days.map(({ name }) => name));
  for (const name of visits.keys()) {
    if (name.startsWith(`${table}_`) && !there.has(name)) {
      visits.delete(name);
    }
  }
}
