import { periodQuery } from "../../http/request-schema.ts";
import { emptyTally, type Tally } from "../../pipeline/ledger/attempt-feed.ts";
import { percentilesOf } from "../../pipeline/ledger/latency.ts";
import {
  exactObject,
  integer,
  nullableInteger,
  nullableTimestamp,
  timestamp,
} from "../../http/answer-schema.ts";
import { ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { requireSubscription } from "../require.ts";
import { percentiles } from "../live/answers.ts";
import { parseSeriesPeriod, type Period } from "./period.ts";
import { readSeries, readTalliedAt } from "./store.ts";

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

/** How deliveries went, over time. Stands before the operations on `{webhookId}`. */
export function seriesRoutes({ db, clock }: SeriesDeps): Route[] {
  return [
    route<unknown, SeriesQuery>({
      method: "GET",
      path: "/webhooks/series",
      operationId: "getWebhookSeries",
      summary: "How deliveries went over time: counts by result and percentiles, for charts",
      permission: "webhooks.read",
      family: "platform",
      limit: "api",
      query,
      answer: { status: 200, schema: answer },
      problems: ["not_found"],
      handle: async ({ caller: { enterpriseId }, query: { webhookId, ...bounds } }) => {
        if (webhookId !== undefined) {
          await requireSubscription(db, enterpriseId, webhookId);
        }
        const period = parseSeriesPeriod(bounds, clock.now());
        const scope = { enterpriseId, subscriptionId: webhookId };
        const [series, talliedAt] = await Promise.all([
          readSeries(db, scope, period),
          readTalliedAt(db),
        ]);
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

/** A point for each step, also where nothing happened. */
function presentPoints({ since, until, stepSeconds }: Period, series: ReadonlyMap<number, Tally>) {
  const first = since.getTime() / 1_000;
  const count = Math.round((until.getTime() / 1_000 - first) / stepSeconds);
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * stepSeconds;
    return presentPoint(at, series.get(at) ?? emptyTally());
  });
}

function presentPoint(at: number, tally: Tally) {
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
