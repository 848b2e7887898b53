/**
 * In: the passing of days, and what each enterprise wants kept. Out: partitions for the days to
 * come, old ones dropped; contents, ended deliveries and their leftovers removed.
 * Guarantee: nothing that has not ended is ever removed or emptied, whatever its age.
 * On crash: the next pass goes on; the default partitions catch what no partition was made for.
 */
import { rowsOf, namedRowsOf, type Db } from "../../platform/db/pool.ts";
import { cancelRedacted } from "../ledger/redact.ts";
import { startTimeBudget, type Clock, type TimeBudget } from "../../platform/clock.ts";
import { redactExpired, type DayProgressByName } from "./redact-expired.ts";
import { dropPartitionsFor, makePartitionsFor, type PartitionDeps } from "./partitions.ts";
import {
  readRetentionSettings,
  dailyTables,
  daysBefore,
  keptDays,
  type RetentionSettings,
  readRetentionHorizon,
} from "./retention-settings.ts";
import { endedStatesSql } from "../ledger/state-sql.ts";

export type RetentionDeps = PartitionDeps & {
  /** Kept so long where an enterprise has not said otherwise. */
  retentionDays: number;
};

type RetentionProgress = { visits: DayProgressByName; walk: RowCursor };

/**
 * In: rows that only age ends. Out: ended deliveries past the log of their enterprise deleted, the
 * replays that made them, revisions that were over before, and what is too old in a default
 * partition.
 * Guarantee: what has not ended stays, whatever its age; each statement looks at one batch.
 * On crash: what is deleted is deleted; a process that starts walks from the first row on.
 */
export type OldRowsDeps = { db: Db; clock: Clock; retentionDays: number };

/** How far a process has walked, and when it last began at the first row. */
export type RowCursor = { after: number; begunAt: number };

const batchSize = 5_000;

/** What of a table is too old, by a column that grows with its ids. */
type OldRows = {
  table: string;
  column: string;
  /** Nothing younger is too old for anybody. */
  before: Date;
  /** What else must be true of a row, named `r`. */
  where: string;
  bindings?: Readonly<Record<string, unknown>>;
};

/** Makes the partitions of today and the next days. Several processes may do so at once. */
export async function makePartitions(deps: RetentionDeps): Promise<void> {
  return makePartitionsFor(deps, await readRetentionSettings(deps.db, deps.retentionDays));
}

/** Drops partitions that nobody keeps any longer and nothing alive needs. */
export async function dropPartitions(deps: RetentionDeps): Promise<void> {
  return dropPartitionsFor(deps, await readRetentionSettings(deps.db, deps.retentionDays));
}

const dayMs = 86_400_000;

/**
 * Deletes ended deliveries, attempts and contents past the days of their enterprise, and tokens and
 * idempotency keys past their life. Tells how many deliveries went.
 */
export async function deleteOldRows(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, retentionDays } = deps;
  const budget = startTimeBudget(clock, signal);
  const now = clock.now().getTime();
  await rowsOf(db, "DELETE FROM tokens WHERE expires_at < ?", [new Date(now)]);
  await rowsOf(db, "DELETE FROM idempotency_keys WHERE created_at < ?", [new Date(now - dayMs)]);
  await cancelRedacted(db, clock.now());
  const terms = await readRetentionSettings(db, retentionDays);
  const { visits, walk } = progressFor(deps);
  const deliveries = await deleteOldRowsFor(deps, { terms, walk, budget });
  await redactExpired(deps, { terms, visits, budget });
  return deliveries;
}

/** How far each schedule has come. Only haste: without it everything is looked through once more. */
const progressOf = new WeakMap<RetentionDeps, RetentionProgress>();

function progressFor(deps: RetentionDeps): RetentionProgress {
  const known = progressOf.get(deps) ?? { visits: new Map(), walk: { after: 0, begunAt: 0 } };
  progressOf.set(deps, known);
  return known;
}

/** Deletes what is past its time. Tells how many deliveries went. */
async function deleteOldRowsFor(
  deps: OldRowsDeps,
  { terms, walk, budget }: { terms: RetentionSettings; walk: RowCursor; budget: TimeBudget },
): Promise<number> {
  const deliveries = await deleteDeliveries(deps, terms, { walk, budget });
  await deleteReplays(deps);
  await deleteRevisions(deps, terms);
  await deleteDefaultRows(deps, terms, budget);
  return deliveries;
}

/**
 * Between two walks from the first row on. Each passes all that stays: what has not ended, and the
 * log of those who keep it longer than others.
 */
const rewalkMs = 6 * 3_600_000;

async function deleteDeliveries(
  { db, clock, retentionDays }: OldRowsDeps,
  terms: RetentionSettings,
  { walk, budget }: { walk: RowCursor; budget: TimeBudget },
): Promise<number> {
  const now = clock.now();
  if (now.getTime() - walk.begunAt >= rewalkMs) {
    walk.after = 0;
    walk.begunAt = now.getTime();
  }
  const old = {
    table: "deliveries",
    column: "created_at",
    before: daysBefore(now, Math.min(...terms.logDays)),
    where: `r.state IN ${endedStatesSql}
      AND ${pastLogSql("r.created_at")}`,
    bindings: { now, retentionDays },
  };
  return deleteOld(db, old, { walk, budget });
}

const replayBatch = 1_000;

/** A replay is told about as long as a delivery that it made, and as long as the log. */
async function deleteReplays({ db, clock, retentionDays }: OldRowsDeps): Promise<void> {
  await namedRowsOf(
    db,
    `DELETE FROM replays WHERE id IN (
       SELECT r.id FROM replays r
       WHERE r.state IN ('done', 'cancelled', 'failed')
         AND ${pastLogSql("coalesce(r.ended_at, r.created_at)")}
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.replay_id = r.id)
       ORDER BY r.id LIMIT :limit)`,
    { now: clock.now(), retentionDays, limit: replayBatch },
  );
}

/** A row's own horizon: that of its enterprise. */
function pastLogSql(column: string): string {
  return `
  ${column} < CAST(:now AS timestamptz) - interval '24 hours' * coalesce(
    (SELECT n.log_days FROM enterprises n WHERE n.id = r.enterprise_id), :retentionDays)`;
}

/**
 * What a subscription asked for before anything that is still kept, or not yet fanned out, happened.
 * The last revision of that time stays: it is in force until the next.
 */
async function deleteRevisions(
  { db, clock }: OldRowsDeps,
  terms: RetentionSettings,
): Promise<void> {
  await namedRowsOf(
    db,
    `WITH needed AS MATERIALIZED (
       SELECT least(CAST(:horizon AS timestamptz),
         (SELECT min(occurred_at) FROM outbox_dead),
         (SELECT occurred_at FROM outbox ORDER BY event_id LIMIT 1)) AS since
     )
     DELETE FROM subscription_revisions WHERE revision IN (
       SELECT r.revision FROM subscription_revisions r, needed
       WHERE r.valid_from < needed.since AND EXISTS (
         SELECT 1 FROM subscription_revisions later
         WHERE later.subscription_id = r.subscription_id AND later.revision > r.revision
           AND later.valid_from < needed.since)
       ORDER BY r.revision LIMIT :limit)`,
    { horizon: daysBefore(clock.now(), keptDays(terms).events), limit: batchSize },
  );
}

/** What landed in a default partition is not dropped with a day's partition. */
async function deleteDefaultRows(
  { db, clock }: OldRowsDeps,
  terms: RetentionSettings,
  budget: TimeBudget,
): Promise<void> {
  const kept = keptDays(terms);
  for (const { table, column } of dailyTables) {
    const name = `${table}_default`;
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    const [found] = await rowsOf(db, `SELECT 1 FROM ${name} LIMIT 1`);
    if (found !== undefined) {
      const horizon = daysBefore(clock.now(), kept[table]);
      // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
      const before = table === "events" ? await readRetentionHorizon(db, horizon) : horizon;
      const old = { table: name, column, before, where: "true" };
      // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
      await deleteOld(db, old, { walk: { after: 0 }, budget });
    }
  }
}

/** Deletes in batches, by id, until one has nothing old or the time is over. Moves `walk` along. */
async function deleteOld(
  db: Db,
  old: OldRows,
  { walk, budget }: { walk: Pick<RowCursor, "after">; budget: TimeBudget },
): Promise<number> {
  let deleted = 0;
  let isMore = true;
  while (isMore && !budget.isSpent()) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const { looked, last, has_old } = await findBatchEnd(db, old, walk.after);
    if (last === null || has_old !== true) {
      break;
    }
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const [row] = await namedRowsOf<{ count: number }>(
      db,
      `WITH gone AS (
         DELETE FROM ${old.table} r WHERE r.id > :after AND r.id <= :last
           AND r.${old.column} < :before AND ${old.where} RETURNING r.id
       )
       SELECT count(*) AS count FROM gone`,
      { ...old.bindings, after: walk.after, last, before: old.before },
    );
    deleted += row?.count ?? 0;
    walk.after = last;
    isMore = looked === batchSize;
  }
  return deleted;
}

type IdBatchEnd = { looked: number; last: number | null; has_old: boolean | null };

/** The ids of the next batch end here. Rows that are kept are walked past, not stumbled over. */
async function findBatchEnd(
  db: Db,
  { table, column, before }: OldRows,
  after: number,
): Promise<IdBatchEnd> {
  const [row] = await rowsOf<IdBatchEnd>(
    db,
    `SELECT count(*) AS looked, max(id) AS last, bool_or(is_old) AS has_old
     FROM (SELECT id, ${column} < ? AS is_old FROM ${table} WHERE id > ? ORDER BY id LIMIT ?) AS rows`,
    [before, after, batchSize],
  );
  return row ?? { looked: 0, last: null, has_old: null };
}
