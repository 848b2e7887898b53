/**
 * In: days that some enterprise keeps for less time than others do. Out: its events of those days
 * without their bodies, its attempts gone.
 * Guarantee: what has not ended keeps all of it. Where everybody keeps the same, nothing happens
 * here: whole partitions are dropped.
 * On crash: what is done is done; a process that starts looks through every such day once more.
 */
import type { Clock, TimeBudget } from "../../platform/clock.ts";
import { inTransaction, namedRowsOf, rowsOf, type Db } from "../../platform/db/pool.ts";
import {
  listDayPartitions,
  type DailyTable,
  type DayPartition,
  dayOf,
  daysBefore,
  keptDays,
  type RetentionSettings,
} from "./retention-settings.ts";
import { liveStatesSql } from "../ledger/state-sql.ts";

export type RedactExpiredDeps = { db: Db; clock: Clock; retentionDays: number };

/** How far a process has come with a day: for which terms, up to which id. */
type DayProgress = { terms: string; after: number; kept: number; nextAt: number };

/** What a process remembers, so that it does not walk through finished days again and again. */
export type DayProgressByName = Map<string, DayProgress>;

type IdBatch = { name: string; after: number; last: number };

/** Removes what single enterprises no longer keep of days that others do. */
export async function redactExpired(
  deps: RedactExpiredDeps,
  {
    terms,
    visits,
    budget,
  }: { terms: RetentionSettings; visits: DayProgressByName; budget: TimeBudget },
): Promise<void> {
  for (const table of ["events", "attempts"] as const) {
    const limits = { days: daysOf(terms)[table], kept: keptDays(terms)[table] };
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    const days = await listDayPartitions(deps.db, table);
    for (const day of days) {
      const term = expiredTerm(day, limits, deps.clock.now());
      const key = `${terms.signature} ${term}`;
      const known = visits.get(day.name);
      const visit = known?.terms === key ? known : { terms: key, after: 0, kept: 0, nextAt: 0 };
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
 * The longest of the terms that all of a day is past; undefined for none. What the longest of all
 * is over for gets dropped, and is only worked on where something keeps the partition.
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

/** A day in which something had not ended yet is looked at again after that. */
const revisitMs = 3_600_000;

const processors = { events: redactEvents, attempts: deleteAttempts };

/** Goes through one day, from where it was left. */
async function processDay(
  deps: RedactExpiredDeps,
  { table }: Pick<DailyTable, "table">,
  { name, visit, budget }: { name: string; visit: DayProgress; budget: TimeBudget },
): Promise<void> {
  while (!budget.isSpent()) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const [row] = await rowsOf<{ last: number | null }>(
      deps.db,
      `SELECT max(id) AS last FROM (SELECT id FROM ${name} WHERE id > ? ORDER BY id LIMIT ?) AS ids`,
      [visit.after, batchSize],
    );
    const last = row?.last ?? null;
    if (last === null) {
      const isDone = visit.kept === 0;
      visit.nextAt = isDone ? Infinity : deps.clock.now().getTime() + revisitMs;
      visit.after = 0;
      visit.kept = 0;
      return;
    }
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    visit.kept += await processors[table](deps, { name, after: visit.after, last });
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

/** The rows are locked first, and judged by what is committed then: nobody makes one live between. */
function redactEvents(
  { db, clock, retentionDays }: RedactExpiredDeps,
  { name, after, last }: IdBatch,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    await trx.raw("SET LOCAL lock_timeout = '500ms'");
    const now = clock.now();
    const found = await namedRowsOf<{ id: number }>(
      trx,
      `SELECT e.id FROM ${name} e LEFT JOIN enterprises n ON n.id = e.enterprise_id
       WHERE e.id > :after AND e.id <= :last AND e.expunged_at IS NULL
         AND e.occurred_at < CAST(:now AS timestamptz)
           - interval '24 hours' * coalesce(n.payload_days, :retentionDays)
       ORDER BY e.id FOR UPDATE OF e`,
      { after, last, now, retentionDays },
    );
    const blanked = await rowsOf(
      trx,
      `UPDATE ${name} e SET body = '', expunged_at = ?
       WHERE e.id = ANY(?::bigint[])
         AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.event_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM outbox_dead o WHERE o.event_id = e.id)
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id
           AND d.replay_id IS NULL AND d.state IN ${liveStatesSql})
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id
           AND d.replay_id IS NOT NULL AND d.state IN ${liveStatesSql})
       RETURNING e.id`,
      [now, found.map(({ id }) => id)],
    );
    return found.length - blanked.length;
  });
}

/** An attempt whose delivery is gone has nobody left who could ask for it. */
async function deleteAttempts(
  { db, clock, retentionDays }: RedactExpiredDeps,
  { name, after, last }: IdBatch,
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
    { after, last, now: clock.now(), retentionDays },
  );
  return row?.kept ?? 0;
}
