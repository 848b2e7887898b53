import type { Health } from "../ledger/health.ts";
import type { Match, OutboxEvent } from "./subscription-set.ts";

/** One object within one subscription: the unit inside which order is kept. */
export type Pair = { subscriptionId: number; key: string; isOrdered: boolean };

export type PlannedDelivery = {
  event: OutboxEvent;
  subscriptionId: number;
  sequence: number;
  state: "pending" | "paused";
  /** Sequence of the delivery of the same object that goes first, null when none is in the way. */
  waitsFor: number | null;
};

type Matched = { event: OutboxEvent; matches: readonly Match[] };

const pairId = (subscriptionId: number, key: string): string => `${subscriptionId} ${key}`;

const pairsOf = (matched: readonly Matched[]): Map<string, Pair> => {
  const pairs = new Map<string, Pair>();
  for (const { event, matches } of matched) {
    for (const { subscriptionId, isOrdered } of matches) {
      pairs.set(pairId(subscriptionId, event.key), { subscriptionId, key: event.key, isOrdered });
    }
  }
  return pairs;
};

/**
 * Gives every delivery its sequence and the one it waits for. `health` is locked by the caller, so
 * the sequences are nobody else's; `readPredecessors` answers for each pair, in the same order.
 */
export const planDeliveries = async (
  matched: readonly Matched[],
  health: ReadonlyMap<number, Health>,
  readPredecessors: (pairs: readonly Pair[]) => Promise<(number | null)[]>,
): Promise<PlannedDelivery[]> => {
  const pairs = pairsOf(matched);
  if (pairs.size === 0) {
    return [];
  }
  const found = await readPredecessors([...pairs.values()]);
  const newest = new Map([...pairs.keys()].map((id, index) => [id, found[index] ?? null]));
  const sequences = new Map([...health].map(([id, { lastSequence }]) => [id, lastSequence]));
  const planned: PlannedDelivery[] = [];
  for (const { event, matches } of matched) {
    for (const { subscriptionId, isActive } of matches) {
      const sequence = (sequences.get(subscriptionId) ?? 0) + 1;
      sequences.set(subscriptionId, sequence);
      const id = pairId(subscriptionId, event.key);
      const state = isActive ? "pending" : "paused";
      planned.push({ event, subscriptionId, sequence, state, waitsFor: newest.get(id) ?? null });
      newest.set(id, sequence);
    }
  }
  return planned;
};
