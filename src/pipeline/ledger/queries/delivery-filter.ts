import {
  failedStates,
  liveStates,
  successResult,
  type AttemptResult,
  type DeliveryState,
} from "../../../contracts/deliveries.ts";
import type { EventAction, ObjectKind } from "../../../contracts/events.ts";
import type { SessionEventType } from "../../../contracts/session-events.ts";
import { allOf, likePattern, where, type SqlCondition } from "../../../platform/db/where.ts";

/** Selects deliveries; an empty list or undefined means all. */
export type DeliveryFilter = Readonly<{
  subscriptionIds: readonly number[];
  states: readonly DeliveryState[];
  results: readonly AttemptResult[];
  object: ObjectKind | undefined;
  event: EventAction | undefined;
  eventType: SessionEventType | undefined;
  objectId: string | undefined;
  /** The event id `evt_…`. */
  eventId: string | undefined;
  /** A substring of the payload, case-insensitive. */
  text: string | undefined;
  replayId: number | undefined;
  since: Date | undefined;
  until: Date | undefined;
}>;

export const noFilter: DeliveryFilter = {
  subscriptionIds: [],
  states: [],
  results: [],
  object: undefined,
  event: undefined,
  eventType: undefined,
  objectId: undefined,
  eventId: undefined,
  text: undefined,
  replayId: undefined,
  since: undefined,
  until: undefined,
};

/** An index that returns the deliveries of a subscription newest first. */
export type StreamKind = "all" | "paused" | "given_up" | "failed";

/** An index that selects few deliveries, so that all can be read at once. */
export type LookupKind = "event" | "replay" | "live";

/**
 * The query plan. `lookup`: the filter selects few deliveries by this index. The streams of
 * `unindexed` then add the rows outside that index; those of `fallback` replace both if the lookup
 * finds too many. `values`: the states or results that have their own streams.
 */
export type QueryPlan = Readonly<{
  lookup: LookupKind | undefined;
  unindexed: StreamSelection | undefined;
  fallback: StreamSelection;
}>;

export type StreamSelection = Readonly<{ kind: StreamKind; values: readonly (string | null)[] }>;

export function needsEvent(filter: DeliveryFilter): boolean {
  return eventConditions(filter).length > 0;
}

/**
 * Conditions on a delivery `d` and its event `e` in any plan. `before`: only ids below it.
 * Subscriptions are not part of it, because they select the streams.
 */
export function conditionOf(filter: DeliveryFilter, before: number | undefined): SqlCondition {
  const conditions = [
    ...oneOf("d.state", filter.states),
    ...oneOf("d.last_result", filter.results),
    ...where("d.object = ?", filter.object),
    ...where("d.replay_id = ?", filter.replayId),
    ...where("d.created_at >= ?", filter.since),
    ...where("d.created_at < ?", filter.until),
    ...where("d.id < ?", before),
    ...eventConditions(filter),
  ];
  return conditions.length === 0 ? { sql: "true", bindings: [] } : allOf(conditions);
}

function oneOf(column: string, values: readonly string[]): SqlCondition[] {
  return values.length === 0
    ? []
    : [{ sql: `${column} = ANY(?::text[])`, bindings: [[...values]] }];
}

/** Conditions on the event, in another table: each examined row costs a probe. */
function eventConditions(filter: DeliveryFilter): SqlCondition[] {
  return [
    ...where("e.event_id = ?", filter.eventId),
    ...where("e.event = ?", filter.event),
    ...where("e.event_type = ?", filter.eventType),
    ...where("e.object_id = ?", filter.objectId),
    ...where("e.body ILIKE ?", likePattern(filter.text)),
  ];
}

/** Chooses the cheapest plan of a filter. */
export function queryPlanOf(filter: DeliveryFilter): QueryPlan {
  const { states } = filter;
  const otherwise = streamsOf(filter);
  if (filter.eventId !== undefined || filter.objectId !== undefined) {
    return { lookup: "event", unindexed: undefined, fallback: otherwise };
  }
  if (filter.replayId !== undefined) {
    return { lookup: "replay", unindexed: undefined, fallback: otherwise };
  }
  const isRare = states.length > 0 && states.every(isIn([...liveStates, ...failedStates]));
  if (isRare && states.some(isIn(liveStates))) {
    const ended = states.filter(isIn(failedStates));
    const unindexed: StreamSelection | undefined =
      ended.length === 0 ? undefined : { kind: "given_up", values: ended };
    return { lookup: "live", unindexed, fallback: otherwise };
  }
  return { lookup: undefined, unindexed: undefined, fallback: otherwise };
}

const allStreams: StreamSelection = { kind: "all", values: [null] };

function streamsOf({ states, results }: DeliveryFilter): StreamSelection {
  if (states.length > 0 && states.every(isIn(failedStates))) {
    return { kind: "given_up", values: states };
  }
  if (results.length > 0 && !results.includes(successResult)) {
    return { kind: "failed", values: results };
  }
  if (states.length > 0 && states.every(isIn(["paused"]))) {
    return { kind: "paused", values: [null] };
  }
  return allStreams;
}

function isIn(values: readonly string[]) {
  return (value: string) => values.includes(value);
}
