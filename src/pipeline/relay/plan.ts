import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import type { Health } from "../ledger/health.ts";
import type { OutboxEvent } from "./subscription-set.ts";

/** A subscription that an event is for. All of it is today's, not the event's. */
export type Match = {
  subscriptionId: number;
  isOrdered: boolean;
  isActive: boolean;
  mode: SubscriptionMode;
};

export type Matched = { event: OutboxEvent; matches: readonly Match[] };

/** One object within one subscription: the unit inside which order is kept. */
export type Pair = { subscriptionId: number; key: string; isOrdered: boolean };

export type PlannedDelivery = {
  event: OutboxEvent;
  subscriptionId: number;
  sequence: number;
  /** `available`, kept for a receiver that pulls, and `cancelled` are final. */
  state: "pending" | "paused" | "available" | "cancelled";
  /** Sequence of the delivery of the same object that goes first, null when none is in the way. */
  waitsFor: number | null;
};

/**
 * Gives every delivery its sequence and the one it waits for. `health` is locked by the caller, so
 * the sequences are nobody else's; `readPredecessors` answers for each pair, in the same order.
 */
export async function planDeliveries(
  matched: readonly Matched[],
  health: ReadonlyMap<number, Health>,
  readPredecessors: (pairs: readonly Pair[]) => Promise<(number | null)[]>,
): Promise<PlannedDelivery[]> {
  const pairs = [...pairsOf(matched)];
  const found = pairs.length === 0 ? [] : await readPredecessors(pairs.map(([, pair]) => pair));
  const newest = new Map(pairs.map(([id], index) => [id, found[index] ?? null]));
  const sequences = new Map([...health].map(([id, { lastSequence }]) => [id, lastSequence]));
  const planned: PlannedDelivery[] = [];
  for (const { event, matches } of matched) {
    for (const match of matches) {
      const { subscriptionId } = match;
      const sequence = (sequences.get(subscriptionId) ?? 0) + 1;
      sequences.set(subscriptionId, sequence);
      const id = pairId(subscriptionId, event.key);
      const state = stateOf(event, match);
      const waitsFor = isQueued(event, match) ? (newest.get(id) ?? null) : null;
      planned.push({ event, subscriptionId, sequence, state, waitsFor });
      if (isQueued(event, match)) {
        newest.set(id, sequence);
      }
    }
  }
  return planned;
}

function pairsOf(matched: readonly Matched[]): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const { event, matches } of matched) {
    for (const { subscriptionId, isOrdered } of matches.filter((one) => isQueued(event, one))) {
      pairs.set(pairId(subscriptionId, event.key), { subscriptionId, key: event.key, isOrdered });
    }
  }
  return pairs;
}

/** Only what is going to be sent waits for others, and is waited for. */
function isQueued(event: OutboxEvent, { mode }: Match): boolean {
  return mode === "push" && !event.isExpunged;
}

function pairId(subscriptionId: number, key: string): string {
  return `${subscriptionId} ${key}`;
}

/** The content of an event may have been removed before anybody got it. */
function stateOf(event: OutboxEvent, { isActive, mode }: Match): PlannedDelivery["state"] {
  if (event.isExpunged) {
    return "cancelled";
  }
  if (mode === "pull") {
    return "available";
  }
  return isActive ? "pending" : "paused";
}
