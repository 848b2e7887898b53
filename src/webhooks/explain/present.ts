import {
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { eventMembers, presentEventFacts } from "../event-facts.ts";
import type { PastEvent } from "./events.ts";
import { verdicts } from "./finding.ts";
import type { Explained, Explanation } from "./service.ts";
import type { EventDelivery, FanOutState } from "./store.ts";

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
  verdict: { type: "string", enum: verdicts },
  text,
  since: nullableTimestamp,
  until: nullableTimestamp,
  reason: nullableText,
  changed_by: nullableText,
  changed_by_id: nullableInteger,
  delivery: { ...exactObject("ExplainedDelivery", deliveryMembers), type: ["object", "null"] },
  filters: {
    type: "array",
    items: exactObject("FilterMismatch", { filter: text, mismatch: text }),
  },
  conditions: {
    type: "array",
    items: exactObject("UnmetCondition", {
      condition: text,
      found: {
        type: "array",
        items: exactObject("FoundValue", { path: text, value: nullableText }),
      },
    }),
  },
  replays: {
    type: "array",
    items: exactObject("ExplainedReplay", { replay: integer, ...deliveryMembers }),
  },
});

export const explainAnswer = exactObject("Explanation", {
  event: exactObject("ExplainedEvent", {
    ...eventMembers,
    expunged: nullableTimestamp,
    fan_out: { type: "string", enum: ["waiting", "set_aside", "fanned_out"] },
    set_aside_reason: nullableText,
  }),
  candidates: { type: "array", items: exactObject("ExplainCandidate", eventMembers) },
  webhooks: { type: "array", items: webhookAnswer },
});

export function presentExplanation({ event, fanOut, candidates, parties }: Explanation) {
  return {
    event: presentEvent(event, fanOut),
    candidates: candidates.map(presentEventFacts),
    webhooks: parties.map(presentWebhook),
  };
}

function presentEvent(event: PastEvent, fanOut: FanOutState) {
  return {
    ...presentEventFacts(event),
    expunged: toTimestampOrNull(event.expungedAt),
    fan_out: fanOut.state,
    set_aside_reason: fanOut.state === "set_aside" ? fanOut.reason : null,
  };
}

function presentWebhook(one: Explained) {
  return {
    webhook: one.subscription.id,
    name: one.subscription.name,
    deleted: one.isDeleted,
    verdict: one.verdict,
    text: one.text,
    since: toTimestampOrNull(one.since),
    until: toTimestampOrNull(one.until),
    reason: one.cause?.reason ?? null,
    changed_by: one.changedBy,
    changed_by_id: one.cause?.changedBy ?? null,
    delivery: one.delivery === null ? null : presentDelivery(one.delivery),
    filters: one.filters,
    conditions: one.conditions,
    replays: one.replays.map((replay) => ({
      replay: replay.replayId ?? 0,
      ...presentDelivery(replay),
    })),
  };
}

const scheduledStates: readonly string[] = ["pending", "queued", "retry"];

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
