import { scheduledStates } from "../../contracts/deliveries.ts";
import { objectKinds } from "../../contracts/events.ts";
import { invalidParameter, missingParameter } from "../../contracts/problems.ts";
import {
  eventSummaryMembers,
  presentEventSummary,
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  oldNameOf,
  periodQuery,
  text,
  timestamp,
  webhookParams,
  type WebhookParams,
} from "../../http/schema.ts";
import { type JsonSchema, ok, route, type Route } from "../../http/route.ts";
import { parsePeriod } from "../../http/values.ts";
import type { EventDelivery, FanOutState } from "../../pipeline/ledger/queries/event-deliveries.ts";
import type { PastEvent } from "../../pipeline/ledger/queries/events.ts";
import { parseTimestamp, toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import type { ExplainPeriod } from "./period.ts";
import {
  type EventQuestion,
  type Explain,
  type Explanation,
  findingMembers,
  mismatchMembers,
  presentFinding,
  type SubscriptionExplanation,
} from "./service.ts";
import {
  periodAnswer,
  platformAnswer,
  presentForPlatform,
  presentPeriod,
} from "./present-period.ts";

const eventIdField = {
  type: "string",
  maxLength: 64,
  described: { pattern: "^evt_[0-9A-Za-z_-]{1,60}$" },
} as const;

type ExplainQuery = {
  event_id?: string;
  /** The old name of `event_id`, kept for one version. */
  event?: string;
  object?: string;
  objectId?: string;
  time?: string;
};

const deliveryMembers = {
  id: integer,
  sequence: integer,
  status: text,
  attempt_count: integer,
  next_try: nullableTimestamp,
  waits_for: nullableInteger,
  last_result: nullableText,
  end_reason: nullableText,
  created: timestamp,
  ended: nullableTimestamp,
};

const webhookAnswer = exactObject("ExplainedWebhook", {
  webhook: integer,
  name: text,
  deleted: flag,
  ...findingMembers,
  delivery: { ...exactObject("ExplainedDelivery", deliveryMembers), type: ["object", "null"] },
  ...mismatchMembers,
  replays: {
    type: "array",
    items: exactObject("ExplainedReplay", { replay: integer, ...deliveryMembers }),
  },
});

const explainSchema: JsonSchema = {
  type: "object",
  properties: {
    event_id: eventIdField,
    event: oldNameOf("event_id", eventIdField),
    object: { type: "string", enum: objectKinds },
    objectId: { type: "string", maxLength: 64 },
    time: {
      type: "string",
      maxLength: 40,
      described: {
        anyOf: [
          { type: "string", format: "date-time" },
          { type: "string", pattern: "^[0-9]{1,11}$" },
        ],
      },
    },
  },
};

const explainAnswer = exactObject("Explanation", {
  event: exactObject("ExplainedEvent", {
    ...eventSummaryMembers,
    expunged: nullableTimestamp,
    fan_out: { type: "string", enum: ["waiting", "dead_letter", "fanned_out"] },
    dead_letter_reason: nullableText,
    set_aside_reason: oldNameOf("dead_letter_reason", nullableText),
  }),
  candidates: { type: "array", items: exactObject("ExplainCandidate", eventSummaryMembers) },
  webhooks: { type: "array", items: webhookAnswer },
});

/** Explains why a webhook did or did not get an event. */
export function explainRoutes(explain: Explain): Route[] {
  return [
    route<unknown, ExplainQuery>({
      permission: "webhooks.read",
      family: "platform",
      limit: "api",
      method: "GET",
      path: "/webhooks/explain",
      operationId: "explainWebhookEvent",
      summary: "Explain what happened to an event at every webhook, and why",
      query: explainSchema,
      answer: { status: 200, schema: explainAnswer },
      problems: ["not_found"],
      handle: async ({ caller, query }) =>
        ok(presentExplanation(await explain(caller.enterpriseId, questionOf(query)))),
    }),
  ];
}

function presentExplanation({ event, fanOut, candidates, subscriptions }: Explanation) {
  return {
    event: presentEvent(event, fanOut),
    candidates: candidates.map(presentEventSummary),
    webhooks: subscriptions.map(presentWebhook),
  };
}

function presentEvent(event: PastEvent, fanOut: FanOutState) {
  const reason = fanOut.state === "dead_letter" ? fanOut.reason : null;
  return {
    ...presentEventSummary(event),
    expunged: toTimestampOrNull(event.expungedAt),
    fan_out: fanOut.state,
    dead_letter_reason: reason,
    set_aside_reason: reason,
  };
}

function presentWebhook(one: SubscriptionExplanation) {
  return {
    webhook: one.subscription.id,
    name: one.subscription.name,
    deleted: one.isDeleted,
    ...presentFinding(one, one.changedBy),
    delivery: one.delivery === null ? null : presentDelivery(one.delivery),
    filters: one.filters,
    conditions: one.conditions,
    replays: one.replays.map((replay) => ({
      replay: replay.replayId ?? 0,
      ...presentDelivery(replay),
    })),
  };
}

function presentDelivery(delivery: EventDelivery) {
  return {
    id: delivery.id,
    sequence: delivery.sequence,
    status: delivery.state,
    attempt_count: delivery.attempts,
    next_try: scheduledStates.includes(delivery.state) ? toTimestamp(delivery.dueAt) : null,
    waits_for: delivery.waitsFor?.sequence ?? null,
    last_result: delivery.lastResult,
    end_reason: delivery.endReason,
    created: toTimestamp(delivery.createdAt),
    ended: toTimestampOrNull(delivery.endedAt),
  };
}

function questionOf(query: ExplainQuery): EventQuestion {
  const { event_id: eventId = query.event, object, objectId, time } = query;
  if (eventId !== undefined) {
    return { eventId };
  }
  if (object === undefined) {
    throw missingParameter("event_id", "Give event_id, or object, objectId and time.");
  }
  if (objectId === undefined) {
    throw missingParameter("objectId");
  }
  if (time === undefined) {
    throw missingParameter("time");
  }
  return { object, objectId, at: parseTime(time) };
}

/** Accepts a timestamp, or UNIX seconds as in the `time` of a webhook body. */
function parseTime(time: string): Date {
  const date = /^\d{1,11}$/u.test(time) ? new Date(Number(time) * 1_000) : parseTimestamp(time);
  if (date === undefined) {
    throw invalidParameter(
      "time",
      "format",
      "The time field is invalid: it must be UNIX seconds, or a time in ISO 8601 with its offset.",
    );
  }
  return date;
}

type PeriodQuery = { since?: string; until?: string };

const periodRoute = {
  family: "platform",
  limit: "api",
  method: "GET",
  params: webhookParams,
  query: { type: "object", properties: periodQuery },
} as const;

/** Explains why one webhook received nothing in a period: for its enterprise, and for operators. */
export function explainPeriodRoutes(explain: ExplainPeriod): Route[] {
  return [
    route<WebhookParams, PeriodQuery>({
      ...periodRoute,
      permission: "webhooks.read",
      path: "/webhooks/{webhookId}/explain",
      operationId: "explainWebhook",
      summary: "Explain what a webhook received in a period, and why it did not receive the rest",
      answer: { status: 200, schema: periodAnswer },
      handle: async ({ caller, params, query }) =>
        ok(
          presentPeriod(
            await explain.ofEnterprise(caller.enterpriseId, params.webhookId, parsePeriod(query)),
          ),
        ),
    }),
    route<WebhookParams, PeriodQuery>({
      ...periodRoute,
      permission: "platform.read",
      path: "/platform/webhooks/{webhookId}/explain",
      operationId: "explainPlatformWebhook",
      summary: "Explain what a webhook of any enterprise received in a period, for operators",
      answer: { status: 200, schema: platformAnswer },
      handle: async ({ caller, params, query }) =>
        ok(
          presentForPlatform(
            await explain.ofPlatform(caller.enterpriseId, params.webhookId, parsePeriod(query)),
          ),
          { "Cache-Control": "no-store" },
        ),
    }),
  ];
}
