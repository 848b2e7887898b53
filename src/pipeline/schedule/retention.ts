/**
 * In: the passing of days. Out: partitions for the days to come, old ones dropped, old ended
 * deliveries and their leftovers deleted.
 * Guarantee: nothing that has not ended is ever removed, whatever its age.
 * On crash: the next pass goes on; the default partitions catch what no partition was made for.
 */
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, rowsOf, type Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { startBudget, type Budget } from "./budget.ts";

export type RetentionDeps = { db: Db; clock: Clock; log: Logger; retentionDays: number };

const tables = ["events", "attempts"] as const;
const daysAhead = 3;
const dayMs = 86_400_000;
const batchSize = 5_000;
const lockTimeoutMs = 500;

const dayOf = (date: Date, plusDays: number): string =>
  new Date(date.getTime() + plusDays * dayMs).toISOString().slice(0, 10);

const partitionName = (table: string, day: string): string => `${table}_${day.replaceAll("-", "")}`;

/** Makes the partitions of today and the next days. Several processes may do so at once. */
export const makePartitions = async ({ db, clock, log }: RetentionDeps): Promise<void> => {
  const now = clock.now();
  for (const table of tables) {
    for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
      const day = dayOf(now, ahead);
      try {
        // oxlint-disable-next-line no-await-in-loop -- a handful, with short locks
        await makePartition(db, table, day, dayOf(now, ahead + 1));
      } catch (thrown) {
        // The default partition takes the rows meanwhile.
        log.warn({ table, day, reason: toError(thrown).message }, "retention.partition_not_made");
      }
    }
  }
};

const makePartition = async (
  db: Db,
  table: string,
  day: string,
  nextDay: string,
): Promise<void> => {
  const name = partitionName(table, day);
  const [row] = await rowsOf<{ exists: boolean }>(
    db,
    "SELECT to_regclass(?) IS NOT NULL AS exists",
    [name],
  );
  if (row?.exists === true) {
    return;
  }
  await inTransaction(db, async (trx) => {
    await trx.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
    await trx.raw(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table}
       FOR VALUES FROM ('${day} 00:00:00+00') TO ('${nextDay} 00:00:00+00')`,
    );
  });
};

/** The end of the youngest partition that may go, as the day in its name. */
const isOld = (name: string, oldest: string): boolean =>
  (/_(?<day>\d{8})$/u.exec(name)?.groups?.["day"] ?? "99999999") < oldest.replaceAll("-", "");

/**
 * Drops partitions whose every row is past retention. One of events is kept while a delivery that
 * has not ended, or an outbox row, still needs it.
 */
export const dropPartitions = async (deps: RetentionDeps): Promise<void> => {
  const { db, clock, log, retentionDays } = deps;
  const oldest = await oldestNeeded(db, new Date(clock.now().getTime() - retentionDays * dayMs));
  const rows = await rowsOf<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relname IN ('events', 'attempts') AND pg_table_is_visible(c.oid)`,
  );
  for (const { name } of rows.filter((row) => isOld(row.name, dayOf(oldest, 0)))) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each with a short lock of its own
      await inTransaction(db, async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
        await trx.raw(`DROP TABLE ${name}`);
      });
      log.info({ partition: name }, "retention.partition_dropped");
    } catch (thrown) {
      log.warn({ partition: name, reason: toError(thrown).message }, "retention.drop_postponed");
    }
  }
};

const oldestNeeded = async (db: Db, horizon: Date): Promise<Date> => {
  const [row] = await rowsOf<{ oldest: Date | null }>(
    db,
    `SELECT least(
       (SELECT min(occurred_at) FROM outbox),
       (SELECT min(event_at) FROM deliveries
        WHERE state IN ('pending', 'queued', 'sending', 'retry', 'paused'))) AS oldest`,
  );
  const oldest = row?.oldest ?? horizon;
  return oldest < horizon ? oldest : horizon;
};

/** What of a table is too old, by a column that grows with its ids. */
type OldRows = { table: string; column: string; before: Date; where: string };

type Reach = { looked: number; last: number | null; has_old: boolean | null };

/** The ids of the next batch end here. Rows that are kept are walked past, not stumbled over. */
const reach = async (db: Db, { table, column, before }: OldRows, after: number): Promise<Reach> => {
  const [row] = await rowsOf<Reach>(
    db,
    `SELECT count(*) AS looked, max(id) AS last, bool_or(is_old) AS has_old
     FROM (SELECT id, ${column} < ? AS is_old FROM ${table} WHERE id > ? ORDER BY id LIMIT ?) AS rows`,
    [before, after, batchSize],
  );
  return row ?? { looked: 0, last: null, has_old: null };
};

/** Deletes in batches, by id from the oldest on, until one has nothing old or the time is over. */
const deleteOld = async (db: Db, old: OldRows, budget: Budget): Promise<number> => {
  const { table, column, before, where } = old;
  let deleted = 0;
  let after = 0;
  let isMore = true;
  while (isMore && !budget.isSpent()) {
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const { looked, last, has_old } = await reach(db, old, after);
    if (last === null || has_old !== true) {
      break;
    }
    // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
    const [row] = await rowsOf<{ count: number }>(
      db,
      `WITH gone AS (
         DELETE FROM ${table} WHERE id > ? AND id <= ? AND ${column} < ? AND ${where} RETURNING id
       )
       SELECT count(*) AS count FROM gone`,
      [after, last, before],
    );
    deleted += row?.count ?? 0;
    after = last;
    isMore = looked === batchSize;
  }
  return deleted;
};

/**
 * Deletes ended deliveries past retention, and tokens and idempotency keys past their life. Tells
 * how many deliveries went.
 */
export const deleteOldRows = async (deps: RetentionDeps, signal?: AbortSignal): Promise<number> => {
  const { db, clock, retentionDays } = deps;
  const budget = startBudget(clock, signal);
  const now = clock.now().getTime();
  const horizon = new Date(now - retentionDays * dayMs);
  await rowsOf(db, "DELETE FROM tokens WHERE expires_at < ?", [new Date(now)]);
  await rowsOf(db, "DELETE FROM idempotency_keys WHERE created_at < ?", [new Date(now - dayMs)]);
  const deliveries = await deleteOld(
    db,
    {
      table: "deliveries",
      column: "created_at",
      before: horizon,
      where: "state IN ('delivered', 'dead', 'cancelled')",
    },
    budget,
  );
  // What landed in a default partition is not dropped with a day's partition.
  const attempts = { table: "attempts_default", column: "started_at", before: horizon };
  await deleteOld(db, { ...attempts, where: "true" }, budget);
  const events = { table: "events_default", column: "occurred_at" };
  await deleteOld(
    db,
    { ...events, before: await oldestNeeded(db, horizon), where: "true" },
    budget,
  );
  return deliveries;
};
