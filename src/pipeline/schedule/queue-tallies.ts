/**
 * What comes into the queue of each object kind and what leaves it, summed up in pieces of ten
 * seconds: what rates are told from. Written in the transaction that sums attempts up, so that each
 * delivery and each attempt is counted once, whatever process does it and wherever it dies.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import { namedRowsOf, rowsOf, type Db, type Queryable, type Trx } from "../../platform/db/pool.ts";
import type { FeedPosition, IdRange } from "../ledger/attempt-tallies.ts";

/** Seconds of a piece. */
const stepSeconds = 10;

/** What one piece of time gets of one object kind. `at`: seconds since the epoch. */
export type QueueSum = { object: string; at: number } & Partial<
  Record<"made" | "delivered" | "failed", number>
>;

/**
 * Sums of `seen`, the attempts of a statement with `feedSql`, as one JSON value: by when they ended,
 * since a request that takes long belongs to the rate of the time at which it is done.
 */
export const settledSumsSql = `(
  SELECT coalesce(json_agg(piece), '[]') FROM (
    SELECT object, ${intervalStartSql("started_at + duration_ms * interval '1 millisecond'")} AS at,
      count(*) FILTER (WHERE is_delivered) AS delivered,
      count(*) FILTER (WHERE NOT is_delivered) AS failed
    FROM seen GROUP BY 1, 2) AS piece)`;

export type CreatedSums = { islands: IdRange[]; sums: QueueSum[]; read: number };

/** Seconds that rates are the mean of. */
const ratesSeconds = 60;

export type QueueRates = { object: ObjectKind; made: number; delivered: number; failed: number };

export type PlatformRates = {
  /** The end of the minute that is told, and how long it is. */
  until: Date;
  seconds: number;
  /** How many a second, of each kind that had any. */
  queues: QueueRates[];
  attemptsPerSecond: number;
  failedPerSecond: number;
};

type RateRow = Omit<QueueRates, "object"> & { until: Date; object: ObjectKind | null };

/**
 * Deliveries behind :reached and in :missing, as a feed of attempts reads those. What is pulled comes
 * into no queue.
 */
const createdSql = `
  WITH fresh AS MATERIALIZED (
    (SELECT id, object, created_at, state FROM deliveries WHERE id > :reached
     ORDER BY id LIMIT :most)
    UNION ALL
    (SELECT d.* FROM json_to_recordset(CAST(:missing AS json)) AS gap("from" bigint, "to" bigint)
     CROSS JOIN LATERAL (
       SELECT id, object, created_at, state FROM deliveries
       WHERE id BETWEEN gap."from" AND gap."to" ORDER BY id LIMIT :most) AS d)
  )
  SELECT
    (SELECT coalesce(json_agg(islands), '[]') FROM (
       SELECT min(id) AS "from", max(id) AS "to"
       FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS run FROM fresh) AS numbered
       GROUP BY run ORDER BY 1) AS islands) AS islands,
    (SELECT coalesce(json_agg(piece), '[]') FROM (
       SELECT object, ${intervalStartSql("created_at")} AS at, count(*) AS made
       FROM fresh WHERE state <> 'available' GROUP BY 1, 2) AS piece) AS sums,
    (SELECT count(*) FROM fresh) AS read`;

/** Deliveries that came since; at most about `most`. */
export async function readCreated(
  trx: Trx,
  { reached, missing }: FeedPosition,
  most: number,
): Promise<CreatedSums> {
  const bindings = { reached, missing: JSON.stringify(missing), most };
  const [row] = await namedRowsOf<CreatedSums>(trx, createdSql, bindings);
  return row ?? { islands: [], sums: [], read: 0 };
}

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

/** Adds sums of pieces that are still kept. */
export async function addQueueSums(trx: Trx, sums: readonly QueueSum[], now: Date): Promise<void> {
  if (sums.length > 0) {
    await namedRowsOf(trx, addSql, { sums: JSON.stringify(sums), since: oldestKept(now) });
  }
}

/** Deletes pieces that nobody asks for any more. */
export async function deleteOldQueueSums(db: Db, now: Date): Promise<void> {
  await rowsOf(db, "DELETE FROM queue_tallies WHERE at < ?", [oldestKept(now)]);
}

const keptHours = 6;

function oldestKept(now: Date): Date {
  return new Date(now.getTime() - keptHours * 3_600_000);
}

/** The last minute of which all is counted; its newest piece has had ten seconds to be committed. */
const ratesSql = `
  WITH told AS (
    SELECT to_timestamp(${intervalStartSql(`tallied_at - interval '${stepSeconds} seconds'`)}) AS until
    FROM delivery_tally_progress
  )
  SELECT told.until, t.object, CAST(sum(t.made) AS bigint) AS made,
    CAST(sum(t.delivered) AS bigint) AS delivered, CAST(sum(t.failed) AS bigint) AS failed
  FROM told LEFT JOIN queue_tallies t
    ON t.at >= told.until - interval '${ratesSeconds} seconds' AND t.at < told.until
  GROUP BY told.until, t.object`;

/** Reads some forty rows, however much goes through and however long the log is. */
export async function readRates(db: Queryable): Promise<PlatformRates> {
  const rows = await rowsOf<RateRow>(db, ratesSql);
  const [first] = rows;
  if (first === undefined) {
    throw new Error("It is not known up to when attempts are summed up");
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

/** SQL: the beginning of the piece that a time lies in, in seconds since the epoch. */
function intervalStartSql(at: string): string {
  return `CAST(floor(extract(epoch FROM ${at}) / ${stepSeconds}) * ${stepSeconds} AS bigint)`;
}
