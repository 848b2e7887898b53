/** Plans the deliveries of events, with their sequences and predecessors, and inserts them. */
import { initialDeliveryState, type DeliveryState } from "../../contracts/deliveries.ts";
import type { ObjectKind, OutboundEvent } from "../../contracts/events.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import { rowsOf, type Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf, preparedRowsOf } from "../../platform/db/prepared.ts";
import type { Health } from "./health.ts";
import { endedStatesSql, liveStatesSql } from "./state-sql.ts";

/** An event as read from the outbox. */
export type OutboxEvent = Pick<OutboundEvent, "object" | "event" | "eventType"> & {
  eventRowId: number;
  occurredAt: Date;
  enterpriseId: number;
  key: string;
  /** Its content was removed before the fan-out. */
  isExpunged: boolean;
};

/**
 * A subscription that gets an event, with its current settings, not those at the time of the event.
 */
export type SubscriptionMatch = {
  subscriptionId: number;
  isOrdered: boolean;
  isActive: boolean;
  mode: SubscriptionMode;
};

export type MatchedEvent = { event: OutboxEvent; matches: readonly SubscriptionMatch[] };

/** A delivery that the relay is about to insert. */
export type PlannedDelivery = {
  event: Readonly<{ eventRowId: number; enterpriseId: number; object: ObjectKind; key: string }>;
  subscriptionId: number;
  sequence: number;
  state: DeliveryState;
  /** Sequence of the predecessor: the earlier delivery of the same object. Null if none. */
  waitsFor: number | null;
};

/** One object within one subscription: the scope of ordering. */
export type OrderingKey = { subscriptionId: number; key: string; isOrdered: boolean };

/** The objects of deliveries that will be sent, each once per subscription. */
export function orderingKeysOf(matched: readonly MatchedEvent[]): OrderingKey[] {
  return [...pairsOf(matched).values()];
}

/**
 * Assigns the sequence and the predecessor of every delivery. The caller has locked `health`, so
 * the sequences are unique. `predecessors`: one per key of `orderingKeysOf`, in its order.
 */
export function planDeliveries(
  matched: readonly MatchedEvent[],
  health: ReadonlyMap<number, Health>,
  predecessors: readonly (number | null)[],
): PlannedDelivery[] {
  const ids = [...pairsOf(matched).keys()];
  const newest = new Map(ids.map((id, index) => [id, predecessors[index] ?? null]));
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

/** Only deliveries that will be sent take part in ordering. */
function isPushed(event: OutboxEvent, { mode }: SubscriptionMatch): boolean {
  return mode === "push" && !event.isExpunged;
}

function pairId(subscriptionId: number, key: string): string {
  return `${subscriptionId} ${key}`;
}

/** One statement: inserts the deliveries, raises the sequences and deletes from the outbox. */
const insertSql = `
  WITH planned AS (
    INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_id, event_at, object,
      key, state, due_at, waits_for, ended_at, end_reason)
    SELECT p.enterprise_id, p.subscription_id, p.sequence, p.event_id, o.occurred_at, p.object,
      p.key, p.state, CAST(:now AS timestamptz), p.waits_for,
      CASE WHEN p.state IN ${endedStatesSql} THEN CAST(:now AS timestamptz) END,
      CASE WHEN p.state = 'cancelled' THEN 'expunged' END
    FROM json_to_recordset(CAST(:planned AS json)) AS p(enterprise_id bigint,
      subscription_id bigint, sequence bigint, event_id bigint, object text, key text, state text,
      waits_for bigint)
    JOIN outbox o ON o.event_id = p.event_id AND o.event_id = ANY(CAST(:events AS bigint[]))
    ORDER BY p.subscription_id, p.sequence
  ), counted AS (
    UPDATE subscription_health h SET last_sequence = l.last_sequence
    FROM json_to_recordset(CAST(:sequences AS json))
      AS l(subscription_id bigint, last_sequence bigint)
    WHERE h.subscription_id = l.subscription_id
  )
  DELETE FROM outbox WHERE event_id = ANY(CAST(:events AS bigint[]))`;

/**
 * Inserts the deliveries of these events and removes the events from the outbox, including those
 * without deliveries. The caller holds the health locks of the subscriptions.
 */
export async function insertDeliveries(
  trx: Trx,
  eventRowIds: readonly number[],
  planned: readonly PlannedDelivery[],
  now: Date,
): Promise<void> {
  const sequences = new Map(planned.map((one) => [one.subscriptionId, one.sequence]));
  await preparedNamedRowsOf(trx, insertSql, {
    planned: JSON.stringify(planned.map(plannedRow)),
    sequences: JSON.stringify(
      [...sequences].map(([subscription_id, last_sequence]) => ({
        subscription_id,
        last_sequence,
      })),
    ),
    events: [...eventRowIds],
    now,
  });
}

function plannedRow({ event, ...delivery }: PlannedDelivery) {
  return {
    enterprise_id: event.enterpriseId,
    subscription_id: delivery.subscriptionId,
    sequence: delivery.sequence,
    event_id: event.eventRowId,
    object: event.object,
    key: event.key,
    state: delivery.state,
    waits_for: delivery.waitsFor,
  };
}

/** The predecessor, as a sequence, of a new delivery of each pair; null if none. */
export async function readPredecessors(
  trx: Trx,
  pairs: readonly OrderingKey[],
): Promise<(number | null)[]> {
  if (pairs.length === 0) {
    return [];
  }
  const rows = await preparedRowsOf<{ sequence: number | null }>(
    trx,
    `SELECT predecessor.sequence
     FROM json_to_recordset(?::json)
       AS pair(position integer, subscription_id bigint, key text, is_ordered boolean)
     LEFT JOIN LATERAL (${predecessorSql({
       subscriptionId: "pair.subscription_id",
       key: "pair.key",
       isOrdered: "pair.is_ordered",
       waitsForReplay: "before.replay_id IS NULL",
     })}) AS predecessor ON true
     ORDER BY pair.position`,
    [
      JSON.stringify(
        pairs.map((pair, position) => ({
          position,
          subscription_id: pair.subscriptionId,
          key: pair.key,
          is_ordered: pair.isOrdered,
        })),
      ),
    ],
  );
  return rows.map((row) => row.sequence);
}

/** Predecessors of new deliveries of a replay, by object key. */
export async function readReplayPredecessors(
  trx: Trx,
  { subscriptionId, isOrdered }: Omit<OrderingKey, "key">,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ key: string; sequence: number }>(
    trx,
    `SELECT object.key, predecessor.sequence FROM unnest(?::text[]) AS object(key)
     CROSS JOIN LATERAL (${predecessorSql({
       subscriptionId: "?",
       key: "object.key",
       isOrdered: "?",
       waitsForReplay: "true",
     })}) AS predecessor`,
    [keys, subscriptionId, isOrdered],
  );
  return new Map(rows.map(({ key, sequence }) => [key, sequence]));
}

/**
 * The new predecessor of `next` after the deliveries in `ended`, a query of ids, have ended; null
 * if none.
 */
export function predecessorWithoutSql({
  isOrdered,
  ended,
}: {
  isOrdered: string;
  ended: string;
}): string {
  return `(${predecessorSql({
    subscriptionId: "next.subscription_id",
    key: "next.key",
    isOrdered,
    waitsForReplay: "(before.replay_id IS NULL OR next.replay_id IS NOT NULL)",
    and: `AND before.sequence < next.sequence AND before.id NOT IN (${ended})`,
  })})`;
}

/** SQL expressions about the waiting delivery. */
type PredecessorRule = {
  subscriptionId: string;
  key: string;
  isOrdered: string;
  /** Whether it waits for the first attempt of a replay, `before`. */
  waitsForReplay: string;
  /** An additional condition on `before`. */
  and?: string;
};

/**
 * The newest live delivery of the same object and subscription. Without `ordered` only deliveries
 * without a first attempt block others, and a replay does not block what the relay creates.
 */
function predecessorSql(rule: PredecessorRule): string {
  return `
  SELECT before.sequence FROM deliveries before
  WHERE before.subscription_id = ${rule.subscriptionId} AND before.key = ${rule.key}
    AND before.state IN ${liveStatesSql} ${rule.and ?? ""}
    AND (${rule.isOrdered} OR (before.attempts = 0 AND ${rule.waitsForReplay}))
  ORDER BY before.sequence DESC LIMIT 1`;
}
