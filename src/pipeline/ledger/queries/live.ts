/** Queries of the live view. Bound to the watched enterprises. */
import { feedSql, idRangesSql, sumsSql, type FeedPosition, type IdRange } from "../attempt-feed.ts";
import type { AttemptSumRow, AttemptTally } from "../attempt-tallies.ts";
import { startOfDaySql } from "../../../platform/db/days.ts";
import { namedRowsOf, rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import { preparedRowsOf } from "../../../platform/db/prepared.ts";

/** An attempt that has just been settled. */
export type SettledAttempt = {
  enterprise_id: number;
  webhook: number;
  delivery: number;
  sequence: number;
  object: string;
  /** The event and its object; null if the event is deleted. */
  event: string | null;
  event_type: string | null;
  object_id: string | null;
  /** The ordering key, such as `ticket:7`: deliveries with the same key stay in order. */
  key: string;
  number: number;
  /** Seconds since the epoch. */
  started: number;
  ms: number;
  code: number | null;
  error: string | null;
  is_dead: boolean;
};

export type NewAttempts = {
  islands: IdRange[];
  sums: AttemptSumRow[];
  tail: SettledAttempt[];
  /** Whether there were more attempts than one query reads; the rest is not shown. */
  isBehind: boolean;
};

/** At most twice this many per enterprise: the newest delivered and the newest failed attempts. */
const tailSize = 10;

const tailSql = `(
  SELECT coalesce(json_agg(attempt ORDER BY attempt.started DESC), '[]')
  FROM (
    SELECT newest.*, d.key, e.event, e.event_type, e.object_id
    FROM newest
    CROSS JOIN LATERAL (
      SELECT key, event_row_id, event_at FROM deliveries WHERE id = newest.delivery LIMIT 1) AS d
    LEFT JOIN LATERAL (
      SELECT event, event_type, object_id FROM events
      WHERE id = d.event_row_id AND occurred_at = d.event_at LIMIT 1) AS e ON true) AS attempt)`;

const newestSql = `newest AS MATERIALIZED (
  SELECT * FROM (
    SELECT enterprise_id, subscription_id AS webhook, delivery_id AS delivery, sequence, object,
      number, CAST(extract(epoch FROM started_at) AS float8) AS started, duration_ms AS ms,
      status AS code, failure AS error, is_dead,
      row_number() OVER (PARTITION BY enterprise_id, is_delivered ORDER BY id DESC) AS place
    FROM seen) AS numbered
  WHERE place <= ${tailSize})`;

export type LiveWebhookRow = {
  id: number;
  enterprise_id: number;
  name: string;
  mode: "push" | "pull";
  is_active: boolean;
  max_in_flight: number | null;
  window_size: number;
  failures_in_row: number;
  failing_since: Date | null;
  throttled_until: Date | null;
  probe_at: Date | null;
  warned_at: Date | null;
  last_sequence: number;
  pulled_to: number;
  pulled_at: Date | null;
  failure_status: number | null;
  failure: string | null;
  has_attempts: boolean;
};

/** Tallies of the last minutes, for a view that was just opened. */
export type RecentSumRow = AttemptTally & { at: Date };

export type RecentSums = Readonly<{
  /** By the start of their ten-second interval; empty intervals are left out. */
  rows: readonly RecentSumRow[];
  /** Up to when attempts are tallied; the last interval may be partial. */
  until: Date;
}>;

/**
 * Ids are shared by all enterprises, so attempts of others are read too, and removed before they
 * are summed.
 */
const newAttemptsSql = `
  WITH ${feedSql(":enterpriseIds")}, ${newestSql}
  SELECT ${idRangesSql} AS islands, ${sumsSql("0")} AS sums, ${tailSql} AS tail,
    (SELECT count(*) FROM fresh) >= :most AS "isBehind"`;

/** A reader further behind than this skips attempts that are too old for a live view. */
const maxAttempts = 20_000;

/** Attempts take minutes at most, so older partitions are skipped. */
const oldestMs = 86_400_000;

/** New attempts of these enterprises after the position of the feed. */
export async function readNewAttempts(
  db: Queryable,
  { reached, missing }: FeedPosition,
  { enterpriseIds, now }: { enterpriseIds: readonly number[]; now: Date },
): Promise<NewAttempts> {
  const [row] = await namedRowsOf<NewAttempts>(db, newAttemptsSql, {
    reached,
    missing: JSON.stringify(missing),
    since: new Date(now.getTime() - oldestMs),
    most: maxAttempts,
    enterpriseIds,
  });
  return row ?? { islands: [], sums: [], tail: [], isBehind: false };
}

/** The position after everything that is written. */
export async function readFeedEnd(db: Queryable): Promise<FeedPosition> {
  const [row] = await rowsOf<{ reached: number }>(
    db,
    `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('attempts', 'id')), 0)
       AS reached`,
  );
  return { reached: row?.reached ?? 0, missing: [] };
}

const liveWebhooksSql = `
  SELECT s.id, s.enterprise_id, s.name, s.mode, s.is_active, s.max_in_flight, h.window_size,
    h.failures_in_row, h.failing_since, h.throttled_until, h.probe_at, h.warned_at,
    h.last_sequence, h.pulled_to, h.pulled_at,
    h.failure_status, h.failure,
    (h.last_success_at IS NOT NULL OR h.last_failure_at IS NOT NULL) AS has_attempts
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  WHERE s.enterprise_id = ANY(?::bigint[]) AND s.deleted_at IS NULL
  ORDER BY s.id`;

/** The state of every subscription of these enterprises, one row each. */
export function readLiveWebhooks(
  db: Queryable,
  enterpriseIds: readonly number[],
): Promise<LiveWebhookRow[]> {
  return preparedRowsOf(db, liveWebhooksSql, [enterpriseIds]);
}

export async function readRecentSums(
  db: Queryable,
  enterpriseId: number,
  since: Date,
): Promise<RecentSums | undefined> {
  const [progress] = await rowsOf<{ until: Date }>(
    db,
    "SELECT tallied_at AS until FROM delivery_tally_progress",
  );
  const rows = await rowsOf<RecentSumRow>(
    db,
    `SELECT t.at, sum(t.delivered)::integer AS delivered, sum(t.failed)::integer AS failed,
       sum(t.retried)::integer AS retried, sum(t.dead)::integer AS dead,
       ${arraySum("latencies")}, ${arraySum("answers")}
     FROM delivery_tallies t
     WHERE t.enterprise_id = ? AND t.step = 10 AND t.at >= ?
     GROUP BY t.enterprise_id, t.step, t.at ORDER BY t.at`,
    [enterpriseId, since],
  );
  return progress === undefined ? undefined : { rows, until: progress.until };
}

function arraySum(column: string): string {
  return `
  (SELECT coalesce(json_agg(added.count ORDER BY added.place), '[]') FROM (
     SELECT u.place, sum(u.count) AS count
     FROM delivery_tallies o, unnest(o.${column}) WITH ORDINALITY AS u(count, place)
     WHERE o.enterprise_id = t.enterprise_id AND o.step = t.step AND o.at = t.at
     GROUP BY u.place) AS added) AS ${column}`;
}

/** Dead deliveries since midnight in the enterprise's time zone. */
export async function readDeadToday(
  db: Queryable,
  enterpriseId: number,
  now: Date,
): Promise<number> {
  const [row] = await rowsOf<{ dead: number }>(
    db,
    `SELECT CAST(coalesce(sum(t.dead), 0) AS bigint) AS dead
     FROM enterprises e JOIN delivery_tallies t ON t.enterprise_id = e.id
     CROSS JOIN LATERAL (
       SELECT date_trunc('day', CAST(? AS timestamptz) AT TIME ZONE e.time_zone) AS midnight
     ) AS today
     WHERE e.id = ? AND t.step = 60 AND t.at >= ${startOfDaySql("today.midnight", "e.time_zone")}`,
    [now, enterpriseId],
  );
  return row?.dead ?? 0;
}
