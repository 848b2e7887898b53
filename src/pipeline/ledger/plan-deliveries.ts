/** Plans the deliveries of events: their sequences, predecessors and first states. Pure. */
import { initialDeliveryState, type DeliveryState } from "../../contracts/deliveries.ts";
import type { ObjectKind, OutboundEvent } from "../../contracts/events.ts";
import type { FreshDelivery } from "../../contracts/jobs.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import type { Health } from "./health.ts";
import type { OrderingKey } from "./predecessors.ts";

/** An event as read from the outbox. */
export type OutboxEvent = Pick<OutboundEvent, "object" | "event" | "eventType"> & {
  eventRowId: number;
  occurredAt: Date;
  enterpriseId: number;
  key: string;
  /** Its content was removed before the fan-out. */
  isExpunged: boolean;
  /** What a fresh job carries of it; undefined if the body is too large. */
  content?: Pick<FreshDelivery, "eventId" | "body"> | undefined;
};

/**
 * A subscription that gets an event, with its current settings, not those at the time of the event.
 */
export type SubscriptionMatch = {
  subscriptionId: number;
  revision: number;
  isOrdered: boolean;
  isActive: boolean;
  mode: SubscriptionMode;
};

export type MatchedEvent = { event: OutboxEvent; matches: readonly SubscriptionMatch[] };

/** A delivery that the relay is about to insert. */
export type PlannedDelivery = {
  event: Readonly<
    Pick<OutboxEvent, "eventRowId" | "enterpriseId" | "object" | "key" | "occurredAt" | "content">
  >;
  subscriptionId: number;
  revision: number;
  sequence: number;
  state: DeliveryState;
  /** Sequence of the predecessor: the earlier delivery of the same object. Null if none. */
  waitsFor: number | null;
};

/** The objects of deliveries that will be sent, each once per subscription. */
export function orderingKeysOf(matched: readonly MatchedEvent[]): OrderingKey[] {
  return [...pairsOf(matched).values()];
}

/** What may be queued at once: the free part of windows, and the queues that accept no jobs. */
export type DirectEnqueue = {
  free: ReadonlyMap<number, number>;
  closed: readonly ObjectKind[];
};

/**
 * Assigns the sequence, the predecessor and the state of every delivery. The caller has locked
 * `health`, so the sequences are unique. `predecessors`: one per key of `orderingKeysOf`, in its
 * order.
 */
export function planDeliveries(
  matched: readonly MatchedEvent[],
  health: ReadonlyMap<number, Health>,
  predecessors: readonly (number | null)[],
  { free, closed }: DirectEnqueue,
): PlannedDelivery[] {
  const ids = [...pairsOf(matched).keys()];
  const newest = new Map(ids.map((id, index) => [id, predecessors[index] ?? null]));
  const sequences = new Map([...health].map(([id, { lastSequence }]) => [id, lastSequence]));
  const left = new Map(free);
  const isQueued = (subscriptionId: number, object: ObjectKind): boolean => {
    const places = left.get(subscriptionId) ?? 0;
    const isFree = places > 0 && !closed.includes(object);
    left.set(subscriptionId, isFree ? places - 1 : places);
    return isFree;
  };
  const planned: PlannedDelivery[] = [];
  for (const { event, matches } of matched) {
    for (const match of matches) {
      const { subscriptionId, revision } = match;
      const sequence = (sequences.get(subscriptionId) ?? 0) + 1;
      sequences.set(subscriptionId, sequence);
      const id = pairId(subscriptionId, event.key);
      const first = initialDeliveryState({ ...match, isRedacted: event.isExpunged });
      const waitsFor = isPushed(event, match) ? (newest.get(id) ?? null) : null;
      const mayStart = first === "pending" && waitsFor === null;
      const state = mayStart && isQueued(subscriptionId, event.object) ? "queued" : first;
      planned.push({ event, subscriptionId, revision, sequence, state, waitsFor });
      if (isPushed(event, match)) {
        newest.set(id, sequence);
      }
    }
  }
  return planned;
}

function pairsOf(matched: readonly MatchedEvent[]): Map<string, OrderingKey> {
  const pairs = new Map<string, OrderingKey>();
  for (const { event, matches } of matched) {
    for (const { subscriptionId, isOrdered } of matches.filter((one) => isPushed(event, one))) {
      pairs.set(pairId(subscriptionId, event.key), { subscriptionId, key: event.key, isOrdered });
    }
  }
  return pairs;
}

/** Only deliveries that will be sent take part in ordering. */
function isPushed(event: OutboxEvent, { mode }: SubscriptionMatch): boolean {
  return mode === "push" && !event.isExpunged;
}

function pairId(subscriptionId: number, key: string): string {
  return `${subscriptionId} ${key}`;
}
