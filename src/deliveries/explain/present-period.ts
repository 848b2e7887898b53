/** The JSON of period explanations: for the enterprise, and without its content for operators. */
import { attemptResults, deliveryStates } from "../../contracts/deliveries.ts";
import {
  receiverHealthOf,
  healthStates,
  subscriptionModes,
} from "../../contracts/subscriptions.ts";
import {
  eventSummaryMembers,
  presentEventSummary,
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import type { BoundedCount } from "../../pipeline/ledger/queries/backlog-counts.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import type { Mismatch, VerdictCount } from "./count-events.ts";
import { verdicts } from "./findings.ts";
import { countArrived, periodVerdicts } from "./period-words.ts";
import type { OffPeriod, PeriodExplanation } from "./period.ts";
import { findingMembers, mismatchMembers, presentFinding } from "./service.ts";

const bounded = exactObject("ExplainedCount", { count: integer, more: flag });

const healthAnswer = exactObject("ExplainedHealth", {
  state: { type: "string", enum: healthStates },
  failing_since: nullableTimestamp,
  failures_in_row: integer,
  last_code: nullableInteger,
  last_error: nullableText,
  throttled_until: nullableTimestamp,
  next_probe: nullableTimestamp,
  last_success: nullableTimestamp,
  last_failure: nullableTimestamp,
  pulled_at: nullableTimestamp,
  to_pull: nullableInteger,
  in_flight: bounded,
  due: bounded,
  oldest_due: nullableTimestamp,
  planned: bounded,
  waiting: bounded,
  paused: bounded,
});

const mismatches = ["object", "event", "eventType"] as const satisfies readonly Mismatch[];

const mismatchCounts = exactObject("MismatchCounts", {
  object: integer,
  event: integer,
  eventType: integer,
});

const offMembers = { since: timestamp, until: nullableTimestamp, reason: nullableText };

const commonMembers = {
  webhook: integer,
  mode: { type: "string", enum: subscriptionModes },
  active: flag,
  deleted: flag,
  since: timestamp,
  until: timestamp,
  kept_since: timestamp,
  clamped: flag,
  truncated_at: nullableTimestamp,
  verdict: { type: "string", enum: periodVerdicts },
  count: integer,
  text,
  advice: text,
  events: integer,
  matched: integer,
  arrived: integer,
  deliveries: integer,
  states: listOfItems(
    exactObject("StateCount", { status: { type: "string", enum: deliveryStates }, count: integer }),
  ),
  results: listOfItems(
    exactObject("ResultCount", {
      result: { type: "string", enum: attemptResults },
      count: integer,
    }),
  ),
  attempts: exactObject("AttemptCounts", { delivered: integer, failed: integer }),
  health: healthAnswer,
};

export const periodAnswer = exactObject("WebhookExplanation", {
  name: text,
  ...commonMembers,
  verdicts: listOfItems(
    exactObject("VerdictCount", {
      count: integer,
      ...findingMembers,
      mismatches: mismatchCounts,
      ...mismatchMembers,
      example: exactObject("VerdictExample", { ...eventSummaryMembers, delivery: nullableInteger }),
    }),
  ),
  kinds: listOfItems(
    exactObject("EventKindCount", {
      object: text,
      event: text,
      event_type: nullableText,
      count: integer,
      matched: integer,
    }),
  ),
  off: listOfItems(
    exactObject("OffPeriod", {
      ...offMembers,
      changed_by: nullableText,
      changed_by_id: nullableInteger,
    }),
  ),
});

/** Contains nothing of what the enterprise sends or receives: no name, login, object or content. */
export const platformAnswer = exactObject("PlatformWebhookExplanation", {
  enterprise: integer,
  ...commonMembers,
  verdicts: listOfItems(
    exactObject("PlatformVerdictCount", {
      verdict: { type: "string", enum: verdicts },
      count: integer,
      mismatches: mismatchCounts,
    }),
  ),
  off: listOfItems(exactObject("PlatformOffPeriod", offMembers)),
});

const mostKinds = 50;

export function presentPeriod(one: PeriodExplanation) {
  const loginOf = (id: number | null | undefined) => one.logins.get(id ?? 0) ?? null;
  return {
    name: one.subscription.name,
    ...presentCommon(one),
    verdicts: verdictsOf(one).map((group) => ({
      ...presentFinding(group.finding, loginOf(group.finding.cause?.changedBy)),
      count: group.count,
      mismatches: presentMismatches(group),
      filters: group.finding.filters,
      conditions: group.finding.conditions,
      example: { ...presentEventSummary(group.event), delivery: group.deliveryId },
    })),
    kinds: one.counts.kinds.slice(0, mostKinds).map((kind) => ({
      object: kind.object,
      event: kind.event,
      event_type: kind.eventType,
      count: kind.count,
      matched: kind.matched,
    })),
    off: one.offPeriods.map((off) => ({
      ...presentOff(off),
      changed_by: loginOf(off.changedBy),
      changed_by_id: off.changedBy,
    })),
  };
}

export function presentForPlatform(one: PeriodExplanation) {
  return {
    enterprise: one.enterpriseId,
    ...presentCommon(one),
    verdicts: verdictsOf(one).map((group) => ({
      verdict: group.verdict,
      count: group.count,
      mismatches: presentMismatches(group),
    })),
    off: one.offPeriods.map(presentOff),
  };
}

/** The most frequent first. */
function verdictsOf({ counts }: PeriodExplanation): VerdictCount[] {
  return [...counts.verdicts.values()].toSorted((a, b) => b.count - a.count);
}

function presentCommon(one: PeriodExplanation) {
  const { subscription, counts, finding } = one;
  return {
    webhook: subscription.id,
    mode: subscription.mode,
    active: subscription.isActive,
    deleted: subscription.isDeleted,
    since: toTimestamp(one.since),
    until: toTimestamp(one.until),
    kept_since: toTimestamp(one.keptSince),
    clamped: one.isClamped,
    truncated_at: toTimestampOrNull(counts.truncatedAt),
    ...finding,
    events: counts.events,
    matched: counts.matched,
    arrived: countArrived(counts),
    deliveries: counts.deliveries,
    states: [...counts.states].map(([status, count]) => ({ status, count })),
    results: [...counts.results].map(([result, count]) => ({ result, count })),
    attempts: one.attempts,
    health: presentHealth(one),
  };
}

function presentHealth({ subscription, backlog, asOf }: PeriodExplanation) {
  const { state, throttledUntil, nextProbe } = receiverHealthOf({
    ...subscription,
    asOf,
    health: subscription,
  });
  return {
    state,
    failing_since: toTimestampOrNull(subscription.failingSince),
    failures_in_row: subscription.failuresInRow,
    last_code: subscription.lastFailure.status,
    last_error: subscription.lastFailure.failure,
    throttled_until: toTimestampOrNull(throttledUntil),
    next_probe: toTimestampOrNull(nextProbe),
    last_success: toTimestampOrNull(subscription.lastSuccessAt),
    last_failure: toTimestampOrNull(subscription.lastFailureAt),
    pulled_at: toTimestampOrNull(subscription.pulledAt),
    to_pull:
      subscription.mode === "pull"
        ? Math.max(0, subscription.lastSequence - subscription.pulledTo)
        : null,
    in_flight: presentCount(backlog.inFlight),
    due: presentCount(backlog.due),
    oldest_due: toTimestampOrNull(backlog.oldestDue),
    planned: presentCount(backlog.planned),
    waiting: presentCount(backlog.waiting),
    paused: presentCount(backlog.paused),
  };
}

function presentCount({ count, more }: BoundedCount) {
  return { count, more };
}

function presentMismatches(group: VerdictCount) {
  const [object = 0, event = 0, eventType = 0] = mismatches.map(
    (part) => group.mismatches.get(part) ?? 0,
  );
  return { object, event, eventType };
}

function presentOff({ since, until, reason }: OffPeriod) {
  return { since: toTimestamp(since), until: toTimestampOrNull(until), reason };
}

function listOfItems(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
