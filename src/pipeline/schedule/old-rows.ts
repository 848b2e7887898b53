/**
 * In: rows that only age ends. Out: ended deliveries past the log of their enterprise deleted, the
 * replays that made them, revisions that were over before, and what is too old in a default
 * partition.
 * Guarantee: what has not ended stays, whatever its age; each statement looks at one batch.
 * On crash: what is deleted is deleted; a process that starts walks from the first row on.
 */
import type { Clock } from "../../platform/clock.ts";
import { namedRowsOf, rowsOf, type Db } from "../../platform/db/pool.ts";
import type { Budget } from "./budget.ts";
import { dailyTables } from "./days.ts";
import { oldestNeeded } from "./needed.ts";
import { daysBefore, keptDays, type Terms } from "./terms.ts";

export type OldRowsDeps = { db: Db; clock: Clock; retentionDays: number };

/** How far a process has walked, and when it last began at the first row. */
export type Walk = { after: number; begunAt: number };

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

/** Deletes what is past its time. Tells how many deliveries went. */
export async function deleteOldRowsFor(
  deps: OldRowsDeps,
  { terms, walk, budget }: { terms: Terms; walk: Walk; budget: Budget },
): Promise<number> {
  const deliveries = await deleteDeliveries(deps, terms, { walk, budget });
  await deleteReplays(deps);
  await deleteRevisions(deps, terms);
  await deleteStrays(deps, terms, budget);
  return deliveries;
}

/**
 * Between two walks from the first row on. Each passes all that stays: what has not ended, and the
 * log of those who keep it longer than others.
 */
const walkAgainMs = 6 * 3_600_000;

async function deleteDeliveries(
  { db, clock, retentionDays }: OldRowsDeps,
  terms: Terms,
  { walk, budget }: { walk: Walk; budget: Budget },
): Promise<number> {
  const now = clock.now();
  if (now.getTime() - walk.begunAt >= walkAgainMs) {
    walk.after = 0;
    walk.begunAt = now.getTime();
  }
  const old = {
    table: "deliveries",
    column: "created_at",
    before: daysBefore(now, Math.min(...terms.logDays)),
    where: `r.state IN ('delivered', 'dead', 'cancelled', 'available')
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
async function deleteRevisions({ db, clock }: OldRowsDeps, terms: Terms): Promise<void> {
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
async function deleteStrays(
  { db, clock }: OldRowsDeps,
  terms: Terms,
  budget: Budget,
): Promise<void> {
  const kept = keptDays(terms);
  for (const { table, column } of dailyTables) {
    const name = `${table}_default`;
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    const [found] = await rowsOf(db, `SELECT 1 FROM ${name} LIMIT 1`);
    if (found !== undefined) {
      const horizon = daysBefore(clock.now(), kept[table]);
      // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
      const before = table === "events" ? await oldestNeeded(db, horizon) : horizon;
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
  { walk, budget }: { walk: Pick<Walk, "after">; budget: Budget },
): Promise<number> {
  let deleted = 0;
  let isMore = true;
  while (isMore && !budget.isSpent()) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const { looked, last, has_old } = await reach(db, old, walk.after);
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

type Reach = { looked: number; last: number | null; has_old: boolean | null };

/** The ids of the next batch end here. Rows that are kept are walked past, not stumbled over. */
async function reach(db: Db, { table, column, before }: OldRows, after: number): Promise<Reach> {
  const [row] = await rowsOf<Reach>(
    db,
    `SELECT count(*) AS looked, max(id) AS last, bool_or(is_old) AS has_old
     FROM (SELECT id, ${column} < ? AS is_old FROM ${table} WHERE id > ? ORDER BY id LIMIT ?) AS rows`,
    [before, after, batchSize],
  );
  return row ?? { looked: 0, last: null, has_old: null };
}
