import { eventStreamHeaders } from "../../http/answer.ts";
import { eventStreamType, ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import type { Live } from "./service.ts";
import {
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/schema.ts";
import { healthStates } from "../../contracts/subscriptions.ts";

/** The schema of the live view, for JSON and for each message of the stream. */
const rate = { type: "number" } as const;

export const percentiles = exactObject("Percentiles", {
  p50: nullableInteger,
  p95: nullableInteger,
  p99: nullableInteger,
});

const count = exactObject("CountUpToABound", { count: integer, more: flag });

const bucket = exactObject("LiveBucket", {
  at: timestamp,
  seconds: rate,
  delivered: integer,
  failed: integer,
  retried: integer,
  dead: integer,
  latency_ms: percentiles,
  answer_ms: percentiles,
});

const webhook = exactObject("LiveWebhook", {
  id: integer,
  name: text,
  state: { type: "string", enum: healthStates },
  window: integer,
  has_attempts: { type: "boolean" },
  failing_since: nullableTimestamp,
  next_probe: nullableTimestamp,
  throttled_until: nullableTimestamp,
  last_code: nullableInteger,
  last_error: nullableText,
  in_flight: integer,
  waiting: count,
  waiting_about: nullableInteger,
  past_due: count,
  paused: count,
  oldest_waiting_seconds: nullableInteger,
  to_pull: nullableInteger,
  delivered_per_second: rate,
  failed_per_second: rate,
  retried_per_second: rate,
});

const attempt = exactObject("LiveAttempt", {
  webhook: integer,
  delivery: integer,
  sequence: integer,
  object: text,
  event: nullableText,
  event_type: nullableText,
  object_id: { type: ["integer", "string", "null"] },
  ticket: nullableInteger,
  number: integer,
  started: timestamp,
  ms: integer,
  code: nullableInteger,
  error: nullableText,
  gave_up: flag,
});

const liveAnswer = exactObject("LiveDeliveries", {
  at: timestamp,
  attempts_per_second: rate,
  delivered_per_second: rate,
  failed_per_second: rate,
  retried_per_second: rate,
  latency_ms: percentiles,
  answer_ms: percentiles,
  in_flight: integer,
  waiting: count,
  waiting_about: nullableInteger,
  past_due: count,
  past_due_ours: count,
  past_due_failing: count,
  oldest_waiting_seconds: nullableInteger,
  oldest_ours_seconds: nullableInteger,
  relay_behind_seconds: nullableInteger,
  paused: count,
  dead_today: integer,
  counted: timestamp,
  counted_seconds_ago: integer,
  webhooks: { type: "array", items: webhook },
  tail: { type: "array", items: attempt },
  left_out: integer,
  buckets: { type: "array", items: bucket },
});

/**
 * `events=2` asks for the event name `update` instead of `beat`, which streams without it keep for
 * one version.
 */
const liveQuery: JsonSchema = {
  type: "object",
  properties: {
    events: {
      type: "integer",
      enum: [2],
      description:
        "`2`: a stream names its updates `update`. Without it: `beat`, which is deprecated",
    },
  },
};

type LiveQuery = { events?: 2 };

/** Registered before the routes with `{webhookId}`, which would match too. */
export function liveRoutes(live: Live): Route[] {
  return [
    route<unknown, LiveQuery>({
      method: "GET",
      path: "/webhooks/live",
      operationId: "watchWebhookDeliveries",
      summary: "Read the live state of all deliveries, once or every second",
      permission: "webhooks.read",
      family: "platform",
      limit: "api",
      query: liveQuery,
      answer: { status: 200, schema: liveAnswer, produces: [eventStreamType] },
      handle: async ({ caller, query, header }) => {
        if (!(header("accept") ?? "").includes(eventStreamType)) {
          return ok(await live.snapshot(caller), { "Cache-Control": "no-store" });
        }
        const data = live.stream(caller, query.events === 2 ? "update" : "beat");
        return {
          status: 200,
          content: { type: eventStreamType, data },
          headers: eventStreamHeaders,
        };
      },
    }),
  ];
}
