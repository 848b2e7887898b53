import { initialDeliveryState } from "../../contracts/deliveries.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import type { PlannedDelivery } from "../ledger/insert-deliveries.ts";
import type { OrderingKey } from "../ledger/predecessors.ts";
import { readBodies } from "../ledger/queries/events.ts";
import type { Health } from "../ledger/health.ts";
import type { OutboxEvent, SubscriptionSet } from "./subscription-set.ts";
import { createEventLoopYielder } from "../../platform/concurrency/sleep.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { matchConditions, lazyContent, type MatchCandidate } from "../ledger/match-event.ts";

/** A subscription that an event is for. All of it is today's, not the event's. */
export type SubscriptionMatch = {
  subscriptionId: number;
  isOrdered: boolean;
  isActive: boolean;
  mode: SubscriptionMode;
};

export type MatchedEvent = { event: OutboxEvent; matches: readonly SubscriptionMatch[] };

/** An event and the subscriptions whose filters let it through. */
type EventCandidates = { event: OutboxEvent; candidates: readonly MatchCandidate[] };

/**
 * Gives every delivery its sequence and the one it waits for. `health` is locked by the caller, so
 * the sequences are unique; `readPredecessors` answers for each pair, in the same order.
 */
export async function planDeliveries(
  matched: readonly MatchedEvent[],
  health: ReadonlyMap<number, Health>,
  readPredecessors: (pairs: readonly OrderingKey[]) => Promise<(number | null)[]>,
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
      const state = initialDeliveryState({ ...match, isRedacted: event.isExpunged });
      const waitsFor = isPushed(event, match) ? (newest.get(id) ?? null) : null;
      planned.push({ event, subscriptionId, sequence, state, waitsFor });
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

/** Only what is going to be sent waits for others, and is waited for. */
function isPushed(event: OutboxEvent, { mode }: SubscriptionMatch): boolean {
  return mode === "push" && !event.isExpunged;
}

function pairId(subscriptionId: number, key: string): string {
  return `${subscriptionId} ${key}`;
}

/**
 * The subscriptions that each event is for. Bodies are read, once per batch, and parsed, once per
 * event, only where a subscription with conditions is left after its filters.
 */
export async function matchSubscriptions(
  trx: Trx,
  subscriptions: SubscriptionSet,
  events: readonly OutboxEvent[],
): Promise<MatchedEvent[]> {
  const found = events.map((event) => ({ event, candidates: subscriptions.match(event) }));
  const withConditions = found.filter(needsBody).map(({ event }) => event);
  const bodies =
    withConditions.length === 0
      ? undefined
      : await readBodies(
          trx,
          withConditions.map(({ eventRowId, occurredAt }) => ({ id: eventRowId, occurredAt })),
        );
  const yieldToOthers = createEventLoopYielder();
  const matched: MatchedEvent[] = [];
  for (const one of found) {
    const body = bodies?.get(one.event.eventRowId);
    const matches =
      body === undefined ? one.candidates.map(toMatch) : filterByConditions(one, body);
    matched.push({ event: one.event, matches });
    if (body !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- conditions may be expensive
      await yieldToOthers();
    }
  }
  return matched;
}

/** What was removed cannot be asked: nothing of it goes out anyway. */
function needsBody({ event, candidates }: EventCandidates): boolean {
  return !event.isExpunged && candidates.some(({ inForce }) => inForce.passesConditions !== null);
}

function filterByConditions(
  { candidates }: EventCandidates,
  body: string | null,
): SubscriptionMatch[] {
  const content = lazyContent(body);
  return candidates
    .filter((candidate) => matchConditions(candidate, content).verdict === "matches")
    .map(toMatch);
}

function toMatch({ today }: MatchCandidate): SubscriptionMatch {
  return {
    subscriptionId: today.subscriptionId,
    isOrdered: today.isOrdered,
    isActive: today.isActive,
    mode: today.mode,
  };
}
