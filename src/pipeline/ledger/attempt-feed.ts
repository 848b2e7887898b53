/**
 * In: the position of a feed of attempts. Out: newer attempts, each exactly once.
 * Ids are assigned at insert but visible at commit, so a lower id may appear after a higher one.
 * Missing ids below the highest seen one are therefore remembered for a while and read again; most
 * of them belong to transactions that rolled back.
 */
import { namedRowsOf, rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { bucketSql, type AttemptSumRow } from "./attempt-tallies.ts";

/** A range of missing ids, both ends included, and since when they are missing. */
export type IdGap = { from: number; to: number; sinceMs: number };

export type FeedPosition = { reached: number; missing: readonly IdGap[] };

/** A contiguous range of ids that were read. */
export type IdRange = { from: number; to: number };

/** The id ranges of a statement with `feedSql`, as one JSON value. */
export const idRangesSql = `(SELECT coalesce(json_agg(islands), '[]') FROM islands)`;

/** The length of the intervals in which attempts and deliveries are summed. */
export const stepSeconds = 10;

/** The change of one interval and object kind. `at`: seconds since the epoch. */
export type QueueSum = { object: string; at: number } & Partial<
  Record<"made" | "delivered" | "failed", number>
>;

export type CreatedSums = { islands: IdRange[]; sums: QueueSum[]; read: number };

/** Sums of attempts that were read for the first time. */
export type NewAttemptSums = {
  islands: IdRange[];
  sums: AttemptSumRow[];
  ended: QueueSum[];
  read: number;
};

/** Transactions that write attempts are shorter than this. */
const gapLookbackMs = 60_000;

/** Only the newest gaps are kept: a dropped partition or many rollbacks may leave a lot. */
const maxGaps = 500;

/** The position after these rows. `islands` are sorted by id. */
export function advanceFeed(
  feed: FeedPosition,
  islands: readonly IdRange[],
  nowMs: number,
): FeedPosition {
  const reached = Math.max(feed.reached, islands.at(-1)?.to ?? 0);
  const fresh = { from: feed.reached + 1, to: reached, sinceMs: nowMs };
  const missing = [...feed.missing, fresh]
    .filter(({ sinceMs }) => nowMs - sinceMs < gapLookbackMs)
    .flatMap((gap) => subtractRanges(gap, islands));
  return { reached, missing: missing.slice(-maxGaps) };
}

function subtractRanges(gap: IdGap, islands: readonly IdRange[]): IdGap[] {
  const left: IdGap[] = [];
  let from = gap.from;
  for (const island of islands) {
    if (island.to >= from && island.from <= gap.to) {
      if (island.from > from) {
        left.push({ ...gap, from, to: island.from - 1 });
      }
      from = island.to + 1;
    }
  }
  return from <= gap.to ? [...left, { ...gap, from }] : left;
}

const columns = "id, delivery_id, number, started_at, duration_ms, status, failure, is_counted";

/**
 * Parts of a statement: `fresh`, the rows after :reached and in :missing that started after :since
 * (which skips the partitions of earlier days), at most :most; `islands`, their id ranges; and
 * `seen`, with their subscription. `latency` and `answer` are histogram buckets, or null. With
 * `enterpriseIds`, the name of a binding, `seen` contains only these enterprises. Two joins are
 * LATERAL with a limit, so that the planner always probes the index.
 */
export function feedSql(enterpriseIds?: string): string {
  return `
  fresh AS MATERIALIZED (
    (SELECT ${columns} FROM attempts WHERE id > :reached AND started_at >= :since
     ORDER BY id LIMIT :most)
    UNION ALL
    (SELECT a.* FROM json_to_recordset(CAST(:missing AS json)) AS gap("from" bigint, "to" bigint)
     CROSS JOIN LATERAL (
       SELECT ${columns} FROM attempts
       WHERE id BETWEEN gap."from" AND gap."to" AND started_at >= :since
       ORDER BY id LIMIT :most) AS a)
  ), islands AS (
    SELECT min(id) AS "from", max(id) AS "to"
    FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS run FROM fresh) AS numbered
    GROUP BY run ORDER BY 1
  ), seen AS MATERIALIZED (
    SELECT f.id, f.delivery_id, f.number, f.started_at, f.duration_ms, f.status, f.failure,
      d.enterprise_id, d.subscription_id, d.sequence, d.object,
      coalesce(f.status BETWEEN 200 AND 299, false) AS is_delivered,
      -- An interrupted attempt has the number of the one that followed it.
      d.state = 'dead' AND d.attempts = f.number AND f.is_counted AS is_dead,
      CASE WHEN f.is_counted THEN ${bucketSql("f.duration_ms")} END AS answer,
      CASE WHEN f.number = 1 AND d.replay_id IS NULL AND f.status BETWEEN 200 AND 299 THEN
        ${bucketSql(
          "date_part('epoch', f.started_at - d.event_at) * 1000 + f.duration_ms",
        )} END AS latency
    FROM fresh f CROSS JOIN LATERAL (
      SELECT enterprise_id, subscription_id, sequence, object, state, attempts, replay_id, event_at
      FROM deliveries WHERE id = f.delivery_id LIMIT 1) AS d
    ${enterpriseIds === undefined ? "" : `WHERE d.enterprise_id = ANY(CAST(${enterpriseIds} AS bigint[]))`}
  )`;
}

/**
 * The sums of `seen`, as one JSON value: one row per subscription, `at` (an expression on `seen`)
 * and pair of buckets.
 */
export function sumsSql(at: string): string {
  return `(
  SELECT coalesce(json_agg(sums), '[]') FROM (
    SELECT enterprise_id, subscription_id, ${at} AS at, answer, latency,
      count(*) FILTER (WHERE is_delivered) AS delivered,
      count(*) FILTER (WHERE NOT is_delivered) AS failed,
      count(*) FILTER (WHERE number > 1) AS retried,
      count(*) FILTER (WHERE is_dead) AS dead
    FROM seen GROUP BY 1, 2, 3, 4, 5) AS sums)`;
}

/**
 * Sums of `seen` by object kind, as one JSON value. By end time, because a slow request belongs to
 * the rate of the time at which it ended.
 */
const endedSumsSql = `(
  SELECT coalesce(json_agg(step), '[]') FROM (
    SELECT object, ${intervalStartSql("started_at + duration_ms * interval '1 millisecond'")} AS at,
      count(*) FILTER (WHERE is_delivered) AS delivered,
      count(*) FILTER (WHERE NOT is_delivered) AS failed
    FROM seen GROUP BY 1, 2) AS step)`;

const newAttemptsSql = `
  WITH ${feedSql()}
  SELECT ${idRangesSql} AS islands, ${sumsSql(intervalStartSql("started_at"))} AS sums,
    ${endedSumsSql} AS ended, (SELECT count(*) FROM fresh) AS read`;

/** Sums new attempts, about `limit` at most. */
export async function sumNewAttempts(
  trx: Trx,
  { reached, missing }: FeedPosition,
  limit: number,
): Promise<NewAttemptSums> {
  const [row] = await namedRowsOf<NewAttemptSums>(trx, newAttemptsSql, {
    reached,
    missing: JSON.stringify(missing),
    since: new Date(0),
    most: limit,
  });
  return row ?? { islands: [], sums: [], ended: [], read: 0 };
}

/** What was not tallied yet. */
export type TallyBacklog = {
  talliedAt: Date;
  /** Counted up to a limit. */
  newAttempts: number;
  /** Whether there are new deliveries, or gaps in the ids to look into. */
  hasMore: boolean;
};

/**
 * When attempts were last tallied, and what came since. In the order of the ids, so that the planner
 * uses their index: it cannot know that the newest attempts are asked for, and would expect to find
 * `limit` of them at the beginning of the table.
 */
export async function readTallyBacklog(
  db: Queryable,
  limit: number,
): Promise<TallyBacklog | undefined> {
  const [row] = await rowsOf<{ tallied_at: Date; fresh: number; has_more: boolean }>(
    db,
    `SELECT p.tallied_at, (SELECT count(*) FROM (
       SELECT 1 FROM attempts a WHERE a.id > p.reached ORDER BY a.id LIMIT ?) AS fresh) AS fresh,
       p.missing::text <> '[]' OR p.made_missing::text <> '[]' OR (SELECT 1 FROM deliveries d
         WHERE d.id > p.made_reached ORDER BY d.id LIMIT 1) IS NOT NULL AS has_more
     FROM delivery_tally_progress p`,
    [limit],
  );
  return row && { talliedAt: row.tallied_at, newAttempts: row.fresh, hasMore: row.has_more };
}

/**
 * Deliveries after :reached and in :missing, read like a feed of attempts. Pulled deliveries enter
 * no queue.
 */
const createdSql = `
  WITH fresh AS MATERIALIZED (
    (SELECT id, object, created_at, state FROM deliveries WHERE id > :reached
     ORDER BY id LIMIT :limit)
    UNION ALL
    (SELECT d.* FROM json_to_recordset(CAST(:missing AS json)) AS gap("from" bigint, "to" bigint)
     CROSS JOIN LATERAL (
       SELECT id, object, created_at, state FROM deliveries
       WHERE id BETWEEN gap."from" AND gap."to" ORDER BY id LIMIT :limit) AS d)
  )
  SELECT
    (SELECT coalesce(json_agg(islands), '[]') FROM (
       SELECT min(id) AS "from", max(id) AS "to"
       FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS run FROM fresh) AS numbered
       GROUP BY run ORDER BY 1) AS islands) AS islands,
    (SELECT coalesce(json_agg(step), '[]') FROM (
       SELECT object, ${intervalStartSql("created_at")} AS at, count(*) AS made
       FROM fresh WHERE state <> 'available' GROUP BY 1, 2) AS step) AS sums,
    (SELECT count(*) FROM fresh) AS read`;

/** Sums new deliveries, about `limit` at most. */
export async function sumNewDeliveries(
  trx: Trx,
  { reached, missing }: FeedPosition,
  limit: number,
): Promise<CreatedSums> {
  const bindings = { reached, missing: JSON.stringify(missing), limit };
  const [row] = await namedRowsOf<CreatedSums>(trx, createdSql, bindings);
  return row ?? { islands: [], sums: [], read: 0 };
}

/**
 * SQL: the start of the interval that contains a time, in seconds since the epoch. `extract` would
 * return a numeric, which takes a quarter of the time of all sums.
 */
export function intervalStartSql(at: string): string {
  return `CAST(floor(date_part('epoch', ${at}) / ${stepSeconds}) * ${stepSeconds} AS bigint)`;
}
