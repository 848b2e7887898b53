/**
 * In: time, and the retention settings of each enterprise. Out: partitions for the next days,
 * expired ones dropped; contents, ended deliveries and dependent rows removed.
 * Guarantee: live deliveries and their events are never removed, whatever their age.
 * On crash: the next pass continues; the default partitions take rows without a partition.
 */
import { namedRowsOf, type Db } from "../../platform/db/pool.ts";
import { countDefaultRows, dailyTables } from "../ledger/daily-partitions.ts";
import { cancelRedacted } from "../ledger/redact.ts";
import { startTimeBudget, type Clock, type TimeBudget } from "../../platform/clock.ts";
import { mapEachInOrder } from "../../platform/concurrency/queues.ts";
import { redactExpired, type DayProgressByName } from "./redact-expired.ts";
import {
  daysBefore,
  dropPartitionsFor,
  keptDays,
  makePartitionsFor,
  type PartitionDeps,
  readRetentionHorizon,
  readRetentionSettings,
  type RetentionSettings,
} from "./partitions.ts";
import {
  deleteDefaultRows,
  deleteEndedDeliveries,
  deleteEndedReplays,
  type BatchRange,
  type DeletedBatch,
} from "../ledger/delete-old.ts";

export type RetentionDeps = PartitionDeps & {
  /** Default retention for enterprises without their own. */
  retentionDays: number;
};

type RetentionProgress = { visits: DayProgressByName; walk: RowCursor };

/**
 * In: expired rows. Out: ended deliveries beyond the log retention deleted, with their replays, old
 * revisions, and expired rows in the default partitions.
 * Guarantee: live deliveries stay, whatever their age; each statement reads one batch.
 * On crash: deleted rows stay deleted; after a restart the walks begin at the first row.
 */
export type OldRowsDeps = { db: Db; clock: Clock; retentionDays: number };

/** The progress of a walk, and when it last began at the first row. */
export type RowCursor = { after: number; begunAt: number };

const batchSize = 5_000;

/** Creates the partitions of today and the next days. Safe in several processes at once. */
export async function makePartitions(deps: RetentionDeps): Promise<void> {
  return makePartitionsFor(deps, await readRetentionSettings(deps.db, deps.retentionDays));
}

/** Drops partitions past every retention that no live delivery needs. */
export async function dropPartitions(deps: RetentionDeps): Promise<void> {
  return dropPartitionsFor(deps, await readRetentionSettings(deps.db, deps.retentionDays));
}

/**
 * Deletes expired deliveries, attempts and contents, and expired tokens and idempotency keys. Each
 * kind has its own time budget, and one that fails keeps none of the others from running; the pass
 * fails at the end then. Returns how many deliveries.
 */
export async function deleteOldRows(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, retentionDays } = deps;
  const settings = await readRetentionSettings(db, retentionDays);
  const { visits, walk } = progressFor(deps);
  const budget = (): TimeBudget => startTimeBudget(clock, signal);
  const old = { now: clock.now(), retentionDays };
  let deliveries = 0;
  const kinds: readonly (() => Promise<unknown>)[] = [
    () => cancelRedacted(db, old.now),
    async () => {
      deliveries = await deleteDeliveries(deps, settings, { walk, budget: budget() });
    },
    () => deleteEndedReplays(db, { ...old, limit: replayBatch }),
    () => deleteRevisions(deps, settings),
    () => emptyDefaultPartitions(deps, settings, budget()),
    () => redactExpired(deps, { settings, visits, budget: budget() }),
    () => deleteExpired(db, expiredTokensSql, { before: old.now, budget: budget() }),
    () => deleteExpired(db, expiredKeysSql, { before: daysBefore(old.now, 1), budget: budget() }),
  ];
  await mapEachInOrder(kinds, (deleteKind) => deleteKind());
  return deliveries;
}

/**
 * The progress of each schedule. Only an optimization: without it everything is scanned once more.
 */
const progressOf = new WeakMap<RetentionDeps, RetentionProgress>();

function progressFor(deps: RetentionDeps): RetentionProgress {
  const known = progressOf.get(deps) ?? { visits: new Map(), walk: { after: 0, begunAt: 0 } };
  progressOf.set(deps, known);
  return known;
}

const replayBatch = 1_000;

const expiredTokensSql = `
  DELETE FROM tokens WHERE hash IN (
    SELECT hash FROM tokens WHERE expires_at < :before
    ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED)
  RETURNING 1`;

const expiredKeysSql = `
  DELETE FROM idempotency_keys WHERE (user_id, key) IN (
    SELECT user_id, key FROM idempotency_keys WHERE created_at < :before
    ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED)
  RETURNING 1`;

/** Repeats a statement that deletes one batch, until nothing is left or the time is over. */
async function deleteExpired(
  db: Db,
  sql: string,
  { before, budget }: { before: Date; budget: TimeBudget },
): Promise<void> {
  let deleted = batchSize;
  while (deleted === batchSize && !budget.isSpent()) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    deleted = (await namedRowsOf(db, sql, { before, limit: batchSize })).length;
  }
}

/**
 * The interval between two walks from the first row. Each passes all kept rows: live deliveries,
 * and logs with a longer retention.
 */
const rewalkMs = 6 * 3_600_000;

async function deleteDeliveries(
  { db, clock, retentionDays }: OldRowsDeps,
  settings: RetentionSettings,
  { walk, budget }: { walk: RowCursor; budget: TimeBudget },
): Promise<number> {
  const now = clock.now();
  if (now.getTime() - walk.begunAt >= rewalkMs) {
    walk.after = 0;
    walk.begunAt = now.getTime();
  }
  const old = { now, retentionDays, before: daysBefore(now, Math.min(...settings.logDays)) };
  return deleteInBatches((range) => deleteEndedDeliveries(db, old, range), { walk, budget });
}

/** Matches the URL of an inbox, whatever its host and query string. */
const inboxUrlPattern = "/inbox/[A-Za-z0-9]{22}(\\?|$)";

/**
 * Revisions that were replaced before the oldest kept or pending event. The last one of that time
 * stays, because it is in force until the next; if the webhook is disabled then, with all since it was
 * disabled: they say when, by whom and why. So do those since the first with the URL of an inbox, which
 * names the enterprise to which the inbox belongs: a history without holes can be explained.
 */
async function deleteRevisions(
  { db, clock }: OldRowsDeps,
  settings: RetentionSettings,
): Promise<void> {
  await namedRowsOf(
    db,
    `WITH needed AS MATERIALIZED (
       SELECT least(CAST(:horizon AS timestamptz),
         (SELECT min(occurred_at) FROM outbox_dead),
         (SELECT occurred_at FROM outbox ORDER BY event_row_id LIMIT 1)) AS since
     ),
     inboxes AS MATERIALIZED (
       SELECT subscription_id, min(revision) AS revision FROM subscription_revisions
       WHERE url ~ :inboxUrlPattern GROUP BY subscription_id
     )
     DELETE FROM subscription_revisions WHERE revision IN (
       SELECT r.revision FROM subscription_revisions r, needed
       WHERE r.valid_from < needed.since AND NOT EXISTS (
         SELECT 1 FROM inboxes i
         WHERE i.subscription_id = r.subscription_id AND i.revision <= r.revision)
       AND EXISTS (
         SELECT 1 FROM subscription_revisions later
         WHERE later.subscription_id = r.subscription_id AND later.revision > r.revision
           AND later.valid_from < needed.since AND (r.is_active OR later.is_active))
       ORDER BY r.revision LIMIT :limit)`,
    {
      horizon: daysBefore(clock.now(), keptDays(settings).events),
      inboxUrlPattern,
      limit: batchSize,
    },
  );
}

/** Rows in a default partition are not dropped with a daily partition. */
async function emptyDefaultPartitions(
  { db, clock }: OldRowsDeps,
  settings: RetentionSettings,
  budget: TimeBudget,
): Promise<void> {
  const kept = keptDays(settings);
  for (const daily of dailyTables) {
    // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
    if ((await countDefaultRows(db, daily, 1)) > 0) {
      const horizon = daysBefore(clock.now(), kept[daily.table]);
      // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
      const before = await readRetentionHorizon(db, horizon); // live deliveries keep theirs
      // oxlint-disable-next-line no-await-in-loop -- two tables, one after the other
      await deleteInBatches((range) => deleteDefaultRows(db, daily, before, range), {
        walk: { after: 0 },
        budget,
      });
    }
  }
}

/** Deletes in batches by id, until a batch has nothing old or the time is over. Advances `walk`. */
async function deleteInBatches(
  deleteBatch: (range: BatchRange) => Promise<DeletedBatch>,
  { walk, budget }: { walk: Pick<RowCursor, "after">; budget: TimeBudget },
): Promise<number> {
  let all = 0;
  let hasMore = true;
  while (hasMore && !budget.isSpent()) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const { deleted, last, isMore } = await deleteBatch({ after: walk.after, limit: batchSize });
    all += deleted;
    walk.after = last ?? walk.after;
    hasMore = isMore;
  }
  return all;
}
