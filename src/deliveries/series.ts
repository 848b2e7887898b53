import {
  periodQuery,
  exactObject,
  integer,
  nullableInteger,
  nullableTimestamp,
  timestamp,
} from "../http/schema.ts";
import {
  emptyTally,
  type AttemptTally,
  percentilesOf,
} from "../pipeline/ledger/attempt-tallies.ts";
import { createExpensiveQueryLimiter } from "../http/limits.ts";
import { ok, route, type JsonSchema, type Route } from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import { type Db, namedRowsOf, rowsOf, type Queryable } from "../platform/db/pool.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { readTarget } from "./delivery-target.ts";
import { percentiles } from "./live/routes.ts";
import { invalidParameter } from "../contracts/problems.ts";
import { parseBound } from "../http/values.ts";

export type SeriesDeps = { db: Db; clock: Clock };

const point = exactObject("DeliverySeriesPoint", {
  at: timestamp,
  delivered: integer,
  failed: integer,
  retried: integer,
  dead: integer,
  latency_ms: percentiles,
  answer_ms: percentiles,
});

/** Both are multiples of the step; `until` is exclusive. */
export type SeriesPeriod = { since: Date; until: Date; stepSeconds: number };

const hour = 3_600;

const day = 24 * hour;

const longestDays = 400;

/** Of all subscriptions of the enterprise, or of one. */
export type SeriesScope = { enterpriseId: number; subscriptionId: number | undefined };

const tallyRowsSql = `
  FROM delivery_tallies t
  WHERE t.enterprise_id = :enterpriseId AND t.step = :step AND t.at >= :since AND t.at < :until
    AND (CAST(:subscriptionId AS bigint) IS NULL OR t.subscription_id = :subscriptionId)`;

const atSql = `
  floor(extract(epoch FROM t.at) / CAST(:stepSeconds AS integer)) * CAST(:stepSeconds AS integer)`;

type SeriesQuery = { since?: string; until?: string; webhookId?: number };

const query: JsonSchema = {
  type: "object",
  properties: {
    ...periodQuery,
    webhookId: { type: "integer", minimum: 1 },
  },
};

const answer = exactObject("DeliverySeries", {
  since: timestamp,
  until: timestamp,
  step_seconds: integer,
  webhook: nullableInteger,
  counted_until: nullableTimestamp,
  data: { type: "array", items: point },
});

/** Delivery statistics over time. Registered before the routes with `{webhookId}`. */
export function seriesRoutes({ db, clock }: SeriesDeps): Route[] {
  const limiter = createExpensiveQueryLimiter();
  return [
    route<unknown, SeriesQuery>({
      method: "GET",
      path: "/webhooks/series",
      operationId: "getWebhookSeries",
      summary: "Read delivery counts and latency percentiles over time, for charts",
      permission: "webhooks.read",
      family: "platform",
      limit: "api",
      query,
      answer: { status: 200, schema: answer },
      problems: ["not_found"],
      handle: async ({ caller: { enterpriseId }, query: { webhookId, ...bounds } }) => {
        if (webhookId !== undefined) {
          await readTarget(db, enterpriseId, webhookId);
        }
        const period = parseSeriesPeriod(bounds, clock.now());
        const scope = { enterpriseId, subscriptionId: webhookId };
        const read = () => Promise.all([readSeries(db, scope, period), readTalliedAt(db)]);
        const [series, talliedAt] =
          period.stepSeconds < longestStep ? await read() : await limiter(enterpriseId, read);
        return ok({
          since: toTimestamp(period.since),
          until: toTimestamp(period.until),
          step_seconds: period.stepSeconds,
          webhook: webhookId ?? null,
          counted_until: toTimestampOrNull(talliedAt),
          data: presentPoints(period, series),
        });
      },
    }),
  ];
}

/** Default: the last hour. */
export function parseSeriesPeriod(
  input: Readonly<{ since?: string; until?: string }>,
  now: Date,
): SeriesPeriod {
  const until = parseBound("until", input.until) ?? now;
  const since = parseBound("since", input.since) ?? new Date(until.getTime() - hour * 1_000);
  const [from, to] = [since.getTime() / 1_000, until.getTime() / 1_000];
  if (to <= from) {
    throw invalidParameter("until", "range", "The period must not end before it starts.");
  }
  if (to - from > longestDays * day) {
    throw invalidParameter("since", "range", `A period has at most ${longestDays} days.`);
  }
  const step = stepOf(from, to, now.getTime() / 1_000);
  return {
    since: new Date(Math.floor(from / step) * step * 1_000),
    until: new Date(Math.ceil(to / step) * step * 1_000),
    stepSeconds: step,
  };
}

/** Steps, the maximum period of each, and how long their tallies are kept. */
const steps: readonly { step: number; longest: number; kept: number }[] = [
  { step: 10, longest: hour, kept: 6 * hour },
  { step: 60, longest: 12 * hour, kept: 3 * day },
  { step: 600, longest: 5 * day, kept: 31 * day },
  { step: hour, longest: 30 * day, kept: longestDays * day },
  { step: day, longest: longestDays * day, kept: longestDays * day },
];

/** The finest step that gives a bounded number of points and is still kept. */
function stepOf(since: number, until: number, now: number): number {
  return (
    steps.find(({ longest, kept }) => until - since <= longest && now - since <= kept) ?? {
      step: day,
    }
  ).step;
}

/** The longest stored step; longer steps are summed from it. */
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

/**
 * Tallies by the start of their interval, in seconds since the epoch; empty intervals are left out.
 */
async function readSeries(
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

const totalsSql = `
  SELECT CAST(coalesce(sum(t.delivered), 0) AS bigint) AS delivered,
    CAST(coalesce(sum(t.failed), 0) AS bigint) AS failed
  ${tallyRowsSql}`;

export type AttemptTotals = Pick<AttemptTally, "delivered" | "failed">;

/** The attempts of a period, extended to whole steps of the tallies. */
export async function readAttemptTotals(
  db: Queryable,
  scope: SeriesScope,
  { since, until, now }: { since: Date; until: Date; now: Date },
): Promise<AttemptTotals> {
  const [from = 0, to = 0, at = 0] = [since, until, now].map((time) => time.getTime() / 1_000);
  const step = Math.min(stepOf(from, to, at), longestStep);
  const [row] = await namedRowsOf<AttemptTotals>(db, totalsSql, {
    ...scope,
    ...{ step, until, since: new Date(Math.floor(from / step) * step * 1_000) },
    subscriptionId: scope.subscriptionId ?? null,
  });
  return row ?? { delivered: 0, failed: 0 };
}

/** Up to when attempts are tallied. */
async function readTalliedAt(db: Queryable): Promise<Date | null> {
  const [row] = await rowsOf<{ tallied_at: Date }>(
    db,
    "SELECT tallied_at FROM delivery_tally_progress",
  );
  return row?.tallied_at ?? null;
}

/** One point per step, even without attempts. */
function presentPoints(
  { since, until, stepSeconds }: SeriesPeriod,
  series: ReadonlyMap<number, AttemptTally>,
) {
  const first = since.getTime() / 1_000;
  const count = Math.round((until.getTime() / 1_000 - first) / stepSeconds);
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * stepSeconds;
    return presentPoint(at, series.get(at) ?? emptyTally());
  });
}

function presentPoint(at: number, tally: AttemptTally) {
  return {
    at: toTimestamp(new Date(at * 1_000)),
    delivered: tally.delivered,
    failed: tally.failed,
    retried: tally.retried,
    dead: tally.dead,
    latency_ms: percentilesOf(tally.latencies),
    answer_ms: percentilesOf(tally.answers),
  };
}

function histogramSql(column: string): string {
  return `
  SELECT at, json_agg(count ORDER BY place) AS ${column} FROM (
    SELECT ${atSql} AS at, u.place, sum(u.count) AS count
    FROM (SELECT t.* ${tallyRowsSql}) AS t, unnest(t.${column}) WITH ORDINALITY AS u(count, place)
    GROUP BY 1, 2) AS added
  GROUP BY at`;
}
