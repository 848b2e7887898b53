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

/** Deletes ended deliveries past retention, and tokens and idempotency keys past their life. */
export const deleteOldRows = async ({
  db,
  clock,
  retentionDays,
}: RetentionDeps): Promise<number> => {
  const horizon = new Date(clock.now().getTime() - retentionDays * dayMs);
  const rows = await rowsOf(
    db,
    `DELETE FROM deliveries WHERE id IN (
       SELECT id FROM (SELECT id, created_at, state FROM deliveries ORDER BY id LIMIT ?) AS oldest
       WHERE created_at < ? AND state IN ('delivered', 'dead', 'cancelled')
     ) RETURNING id`,
    [batchSize, horizon],
  );
  // What landed in a default partition is not dropped with a day's partition.
  await rowsOf(db, "DELETE FROM attempts_default WHERE started_at < ?", [horizon]);
  await rowsOf(
    db,
    `DELETE FROM events_default e WHERE occurred_at < ?
       AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.event_id = e.id)
       AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id)`,
    [horizon],
  );
  await rowsOf(db, "DELETE FROM tokens WHERE expires_at < ?", [clock.now()]);
  await rowsOf(db, "DELETE FROM idempotency_keys WHERE created_at < ?", [
    new Date(clock.now().getTime() - dayMs),
  ]);
  return rows.length;
};
