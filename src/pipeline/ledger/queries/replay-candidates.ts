/** Deliveries and events that a replay of a subscription could deliver again. */
import { startOfDay } from "../../../platform/clock.ts";
import { failedStates, type DeliveryState } from "../../../contracts/deliveries.ts";
import { namedRowsOf, rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import { changeMs } from "../match-event.ts";

/** Null means all. */
export type ReplayableFilter = {
  statuses: readonly DeliveryState[];
  /** The period of the events. */
  since: Date | null;
  until: Date | null;
  object: string | null;
  eventType: string | null;
  result: string | null;
  /** Only events that were never delivered, whatever the state of their newest delivery. */
  isUndelivered: boolean;
};

/** Sequences after `after`, up to `last`, of deliveries that ended before `endedBefore`. */
export type ReplayableRange = {
  subscriptionId: number;
  after: number;
  last: number;
  endedBefore: Date;
  /** Maximum rows to read, and maximum matches to return. */
  scanLimit: number;
  matchLimit: number;
};

/** `scanned`, `last_scanned`: how far the scan read. `cursor` is null in a row without a match. */
export type ReplayCandidateRow = {
  scanned: number;
  last_scanned: number | null;
  cursor: number | null;
  event_row_id: number;
  event_at: Date;
  object: string;
  key: string;
  replay_of: number | null;
  event_id: string | null;
  is_kept: boolean;
};

/**
 * The last sequence whose delivery was created before that time; 0 if none. A binary search of
 * index probes, between `low` and `last`.
 */
export async function findLastSequenceBefore(
  db: Queryable,
  {
    subscriptionId,
    last,
    low = 0,
  }: Pick<ReplayableRange, "subscriptionId" | "last"> & { low?: number },
  time: Date,
): Promise<number> {
  if (low >= last) {
    return low;
  }
  const middle = Math.floor((low + last + 1) / 2);
  const [row] = await rowsOf<{ created_at: Date }>(
    db,
    `SELECT created_at FROM deliveries WHERE subscription_id = ? AND sequence >= ?
     ORDER BY sequence LIMIT 1`,
    [subscriptionId, middle],
  );
  const isBefore = row !== undefined && row.created_at < time;
  const half = isBefore ? { low: middle, last } : { low, last: middle - 1 };
  return findLastSequenceBefore(db, { subscriptionId, ...half }, time);
}

/** The newest delivery of an event represents it, so a scan finds an event once. */
export async function scanDeliveries(
  db: Queryable,
  filter: ReplayableFilter,
  range: ReplayableRange,
): Promise<ReplayCandidateRow[]> {
  return namedRowsOf<ReplayCandidateRow>(db, scanSqlOf(filter.statuses), { ...filter, ...range });
}

function scanSqlOf(statuses: readonly DeliveryState[]): string {
  return `
  WITH scanned AS MATERIALIZED (
    SELECT * FROM (${scansSql(statuses)}) AS rows ORDER BY sequence LIMIT :scanLimit
  ), matched AS (
    SELECT d.sequence AS cursor, d.event_row_id, d.event_at, d.object, d.key, d.id AS replay_of,
      e.event_id, e.event_id IS NOT NULL AND e.expunged_at IS NULL AS is_kept
    FROM scanned d
    LEFT JOIN LATERAL (
      SELECT event_id, event_type, expunged_at FROM events
      WHERE id = d.event_row_id AND occurred_at = d.event_at LIMIT 1) AS e ON true
    WHERE d.state = ANY(CAST(:statuses AS text[])) AND d.ended_at <= :endedBefore
      AND (CAST(:since AS timestamptz) IS NULL OR d.event_at >= :since)
      AND (CAST(:until AS timestamptz) IS NULL OR d.event_at < :until)
      AND (CAST(:object AS text) IS NULL OR d.object = :object)
      AND (CAST(:result AS text) IS NULL OR d.last_result = :result)
      AND (CAST(:eventType AS text) IS NULL OR e.event_type = :eventType)
      -- The newest delivery of an event represents it.
      AND NOT EXISTS (
        SELECT 1 FROM deliveries newer
        WHERE newer.event_row_id = d.event_row_id AND newer.subscription_id = :subscriptionId
          AND newer.replay_id IS NOT NULL AND newer.sequence > d.sequence
          AND newer.sequence <= :last)
      AND (NOT :isUndelivered OR NOT (${wasDeliveredSql("IS NULL")} OR ${wasDeliveredSql("IS NOT NULL")}))
    ORDER BY d.sequence LIMIT :matchLimit
  )
  SELECT reach.*, matched.*
  FROM (SELECT count(*) AS scanned, max(sequence) AS last_scanned FROM scanned) AS reach
  LEFT JOIN matched ON true ORDER BY matched.cursor`;
}

/** Failed deliveries are rare and have a partial index, so their states are literals in the SQL. */
function scansSql(statuses: readonly DeliveryState[]): string {
  const own = failedStates.filter((state) => statuses.includes(state));
  return statuses.includes("delivered")
    ? scanSql("")
    : own.map((state) => scanSql(`AND state = '${state}'`)).join(" UNION ALL ");
}

const columnsSql =
  "id, sequence, event_row_id, event_at, object, key, state, ended_at, last_result";

function scanSql(where: string): string {
  return `(SELECT ${columnsSql} FROM deliveries
    WHERE subscription_id = :subscriptionId AND sequence > :after AND sequence <= :last ${where}
    ORDER BY sequence LIMIT :scanLimit)`;
}

/** First deliveries and replays have separate indexes. */
function wasDeliveredSql(isReplay: "IS NULL" | "IS NOT NULL"): string {
  return `
        EXISTS (
          SELECT 1 FROM deliveries other
          WHERE other.event_row_id = d.event_row_id AND other.subscription_id = :subscriptionId
            AND other.replay_id ${isReplay} AND other.state = 'delivered'
            AND other.ended_at <= :endedBefore)`;
}

/** Null means all. */
export type UndeliveredFilter = {
  since: Date;
  until: Date;
  object: string | null;
  eventType: string | null;
  /** Only events of times at which the webhook was off. */
  isOffOnly: boolean;
};

/** Event ids after `after`, up to `last`; reads at most `scanLimit` rows. */
export type UndeliveredRange = {
  enterpriseId: number;
  subscriptionId: number;
  after: number;
  last: number;
  scanLimit: number;
  isBodyNeeded: boolean;
};

export type UndeliveredEventRow = ReplayCandidateRow & {
  event: string;
  event_type: string | null;
  body: string | null;
};

/** Leaves out events about the subscription itself, which it never gets. */
export async function scanUndeliveredEvents(
  db: Queryable,
  filter: UndeliveredFilter,
  { isBodyNeeded, ...range }: UndeliveredRange,
): Promise<UndeliveredEventRow[]> {
  return namedRowsOf<UndeliveredEventRow>(db, undeliveredSql(isBodyNeeded ? "body" : "NULL"), {
    ...filter,
    ...range,
    ownKey: `subscription:${range.subscriptionId}`,
    fromDay: startOfDay(filter.since),
    toDay: startOfDay(filter.until, 1),
  });
}

/**
 * The times at which the webhook was off, with the seconds after each in which the relay may not have
 * seen yet that it was on again (`wasChanging`). Events have milliseconds, and revisions are compared
 * by these, as the relay does. One multirange, which Postgres searches like a sorted list: a webhook may
 * have changed thousands of times.
 */
const offTimesSql = `
    SELECT range_agg(tstzrange(since, until)) AS times FROM (
      SELECT is_active, date_trunc('milliseconds', valid_from) AS since,
        min(valid_from) OVER (ORDER BY revision DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
          + interval '${changeMs} ms' AS until
      FROM subscription_revisions
      WHERE enterprise_id = :enterpriseId AND subscription_id = :subscriptionId) AS revisions
    WHERE NOT is_active AND (until IS NULL OR until > since)`;

/** Whole days limit the inner query to the partitions of the period. */
function undeliveredSql(body: string): string {
  return `
  WITH scanned AS MATERIALIZED (
    SELECT id, occurred_at, object, event, event_type, key, event_id, expunged_at, ${body} AS body
    FROM events
    WHERE enterprise_id = :enterpriseId AND id > :after AND id <= :last
      AND occurred_at >= :fromDay AND occurred_at < :toDay
    ORDER BY id LIMIT :scanLimit
  ), off_times AS MATERIALIZED (${offTimesSql}
  ), matched AS (
    SELECT e.id AS cursor, e.id AS event_row_id, e.occurred_at AS event_at, e.object, e.key,
      CAST(NULL AS bigint) AS replay_of, e.event_id, e.expunged_at IS NULL AS is_kept,
      e.event, e.event_type, e.body
    FROM scanned e
    WHERE e.occurred_at >= :since AND e.occurred_at < :until AND e.key <> :ownKey
      AND (CAST(:object AS text) IS NULL OR e.object = :object)
      AND (CAST(:eventType AS text) IS NULL OR e.event_type = :eventType)
      AND (NOT CAST(:isOffOnly AS boolean) OR (SELECT times FROM off_times) @> e.occurred_at)
      AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.event_row_id = e.id)
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.event_row_id = e.id
          AND d.subscription_id = :subscriptionId AND d.replay_id IS NULL)
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.event_row_id = e.id
          AND d.subscription_id = :subscriptionId AND d.replay_id IS NOT NULL)
  )
  SELECT reach.*, matched.*
  FROM (SELECT count(*) AS scanned, max(id) AS last_scanned FROM scanned) AS reach
  LEFT JOIN matched ON true ORDER BY matched.cursor`;
}
