import type { AttemptTally } from "../../pipeline/ledger/attempt-tallies.ts";
import { namedRowsOf, rowsOf, type Queryable } from "../../platform/db/pool.ts";

/** Whose: of all subscriptions of the enterprise, or of one. */
export type SeriesScope = { enterpriseId: number; subscriptionId: number | undefined };

const tallyRowsSql = `
  FROM delivery_tallies t
  WHERE t.enterprise_id = :enterpriseId AND t.step = :step AND t.at >= :since AND t.at < :until
    AND (CAST(:subscriptionId AS bigint) IS NULL OR t.subscription_id = :subscriptionId)`;

const atSql = `
  floor(extract(epoch FROM t.at) / CAST(:stepSeconds AS integer)) * CAST(:stepSeconds AS integer)`;

/** The longest step that sums are kept in; longer ones are made of it. */
const longestStep = 3_600;

const seriesSql = `
  SELECT CAST(counts.at AS bigint) AS at, counts.delivered, counts.failed, counts.retried,
    counts.dead, coalesce(l.latencies, '[]') AS latencies, coalesce(a.answers, '[]') AS answers
  FROM (
    SELECT ${atSql} AS at, sum(t.delivered) AS delivered, sum(t.failed) AS failed,
      sum(t.retried) AS retried, sum(t.dead) AS dead
    ${tallyRowsSql} GROUP BY 1) AS counts
  LEFT JOIN (${histogramSql("latencies")}) AS l ON l.at = counts.at
  LEFT JOIN (${histogramSql("answers")}) AS a ON a.at = counts.at
  ORDER BY 1`;

/** Sums by the start of their interval, in seconds since the epoch; empty intervals are left out. */
export async function readSeries(
  db: Queryable,
  { enterpriseId, subscriptionId }: SeriesScope,
  { since, until, stepSeconds }: { since: Date; until: Date; stepSeconds: number },
): Promise<ReadonlyMap<number, AttemptTally>> {
  const rows = await namedRowsOf<AttemptTally & { at: number }>(db, seriesSql, {
    ...{ enterpriseId, since, until, stepSeconds },
    subscriptionId: subscriptionId ?? null,
    step: Math.min(stepSeconds, longestStep),
  });
  return new Map(rows.map(({ at, ...tally }) => [at, tally]));
}

/** Up to when attempts are summed up. */
export async function readTalliedAt(db: Queryable): Promise<Date | null> {
  const [row] = await rowsOf<{ tallied_at: Date }>(
    db,
    "SELECT tallied_at FROM delivery_tally_progress",
  );
  return row?.tallied_at ?? null;
}

function histogramSql(column: string): string {
  return `
  SELECT at, json_agg(count ORDER BY place) AS ${column} FROM (
    SELECT ${atSql} AS at, u.place, sum(u.count) AS count
    FROM (SELECT t.* ${tallyRowsSql}) AS t, unnest(t.${column}) WITH ORDINALITY AS u(count, place)
    GROUP BY 1, 2) AS added
  GROUP BY at`;
}
