/**
 * Deliveries that enter and leave the queue of each object kind, in intervals of ten seconds: the
 * source of rates. Written in the transaction that tallies attempts, so that each delivery and each
 * attempt counts once, in spite of crashes and concurrent processes.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import type { PlatformRates, QueueRates } from "../../contracts/platform-state.ts";
import { namedRowsOf, rowsOf, type Db, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { intervalStartSql, stepSeconds, type QueueSum } from "../ledger/attempt-feed.ts";

/** Rates are the mean over this many seconds. */
const ratesSeconds = 60;

type RateRow = Omit<QueueRates, "object"> & { until: Date; object: ObjectKind | null };

const addSql = `
  INSERT INTO queue_tallies AS t (at, object, made, delivered, failed)
  SELECT to_timestamp(r.at), r.object, sum(coalesce(r.made, 0)), sum(coalesce(r.delivered, 0)),
    sum(coalesce(r.failed, 0))
  FROM json_to_recordset(CAST(:sums AS json)) AS r(at bigint, object text, made integer,
    delivered integer, failed integer)
  WHERE to_timestamp(r.at) >= :since
  GROUP BY r.at, r.object
  ON CONFLICT (at, object) DO UPDATE SET made = t.made + excluded.made,
    delivered = t.delivered + excluded.delivered, failed = t.failed + excluded.failed`;

/** Adds sums to the intervals that are still kept. */
export async function addQueueSums(trx: Trx, sums: readonly QueueSum[], now: Date): Promise<void> {
  if (sums.length > 0) {
    await namedRowsOf(trx, addSql, { sums: JSON.stringify(sums), since: oldestKept(now) });
  }
}

/** Deletes intervals that are no longer read. */
export async function deleteOldQueueSums(db: Db, now: Date): Promise<void> {
  await rowsOf(db, "DELETE FROM queue_tallies WHERE at < ?", [oldestKept(now)]);
}

const keptHours = 6;

function oldestKept(now: Date): Date {
  return new Date(now.getTime() - keptHours * 3_600_000);
}

/** The last complete minute: its newest interval had ten seconds to be committed. */
const ratesSql = `
  WITH minute AS (
    SELECT to_timestamp(${intervalStartSql(`tallied_at - interval '${stepSeconds} seconds'`)}) AS until
    FROM delivery_tally_progress
  )
  SELECT minute.until, t.object, CAST(sum(t.made) AS bigint) AS made,
    CAST(sum(t.delivered) AS bigint) AS delivered, CAST(sum(t.failed) AS bigint) AS failed
  FROM minute LEFT JOIN queue_tallies t
    ON t.at >= minute.until - interval '${ratesSeconds} seconds' AND t.at < minute.until
  GROUP BY minute.until, t.object`;

/** Reads about forty rows, whatever the traffic and the size of the log. */
export async function readRates(db: Queryable): Promise<PlatformRates> {
  const rows = await rowsOf<RateRow>(db, ratesSql);
  const [first] = rows;
  if (first === undefined) {
    throw new Error("The progress of the tallies is missing");
  }
  const sum = (key: "delivered" | "failed"): number =>
    rows.reduce((all, row) => all + (row.object === null ? 0 : row[key]), 0);
  return {
    until: first.until,
    seconds: ratesSeconds,
    queues: rows.flatMap(toQueue),
    attemptsPerSecond: perSecond(sum("delivered") + sum("failed")),
    failedPerSecond: perSecond(sum("failed")),
  };
}

function toQueue({ object, made, delivered, failed }: RateRow): QueueRates[] {
  return object === null
    ? []
    : [
        {
          object,
          made: perSecond(made),
          delivered: perSecond(delivered),
          failed: perSecond(failed),
        },
      ];
}

function perSecond(count: number): number {
  return Math.round((count * 1_000) / ratesSeconds) / 1_000;
}
