/**
 * New deliveries of events. `planDeliveries` decides their sequences, predecessors and first states,
 * without I/O; `insertDeliveries` writes them, and says which need a job.
 */
import { initialDeliveryState, type DeliveryState } from "../../contracts/deliveries.ts";
import type { ObjectKind, OutboundEvent } from "../../contracts/events.ts";
import { firstGeneration, toNewJob, type FreshDelivery } from "../../contracts/jobs.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf } from "../../platform/db/prepared.ts";
import { includeDueNowSql } from "./earliest-due.ts";
import type { EnqueuedDelivery, EnqueueLimits } from "./enqueue-due.ts";
import type { Health } from "./health.ts";
import type { OrderingKey } from "./predecessors.ts";
import { endedStatesSql } from "./state-sql.ts";

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
      const { subscriptionId, revision, isActive, mode } = match;
      const sequence = (sequences.get(subscriptionId) ?? 0) + 1;
      sequences.set(subscriptionId, sequence);
      const id = pairId(subscriptionId, event.key);
      const first = initialDeliveryState({ isRedacted: event.isExpunged, isActive, mode });
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

/**
 * So many jobs of a batch carry contents, which bounds the memory of Redis: an event may go to
 * thousands of webhooks. Workers would be too late for more.
 */
export const maxFreshJobs = 1_000;

/**
 * INSERT of new deliveries from `rows`, a query of rows with `enterprise_id`, `subscription_id`,
 * `sequence`, `event_row_id`, `event_at`, `object`, `key`, `state`, `waits_for`, `is_reserved` and
 * `is_taken`: whether this transaction has deleted the event from the outbox. If not, it was redacted
 * since it was read. Then the delivery is cancelled; without it the sequence would have a gap. Binds
 * `:now` and `:reservedUntil`.
 */
export function insertDeliveriesSql(rows: string): string {
  return `
    INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
      key, state, due_at, waits_for, ended_at, end_reason, generation, queued_at, lease_until)
    SELECT p.enterprise_id, p.subscription_id, p.sequence, p.event_row_id, p.event_at, p.object,
      p.key, p.state, CAST(:now AS timestamptz), p.waits_for,
      CASE WHEN p.state IN ${endedStatesSql} THEN CAST(:now AS timestamptz) END,
      CASE WHEN p.state = 'cancelled' THEN 'expunged' END,
      CASE WHEN p.state = 'queued' THEN ${firstGeneration} ELSE 0 END,
      CASE WHEN p.state = 'queued' THEN CAST(:now AS timestamptz) END,
      CASE WHEN p.is_reserved THEN CAST(:reservedUntil AS timestamptz) END
    FROM (
      SELECT r.enterprise_id, r.subscription_id, r.sequence, r.event_row_id, r.event_at, r.object,
        r.key, CASE WHEN r.is_taken THEN r.state ELSE 'cancelled' END AS state,
        CASE WHEN r.is_taken THEN r.waits_for END AS waits_for,
        r.is_taken AND r.is_reserved AS is_reserved
      FROM (${rows}) AS r) AS p
    ORDER BY p.subscription_id, p.sequence
    RETURNING id, event_row_id, subscription_id, sequence, state`;
}

/**
 * One statement: deletes from the outbox, inserts the deliveries and raises the sequences. Returns
 * those that are queued.
 */
const insertSql = `
  WITH taken AS (
    DELETE FROM outbox WHERE event_row_id = ANY(CAST(:events AS bigint[])) RETURNING event_row_id
  ), input AS (
    SELECT input.*, (SELECT count(*) FROM taken) = cardinality(CAST(:events AS bigint[]))
      OR event_row_id = ANY(ARRAY(SELECT event_row_id FROM taken)) AS is_taken
    FROM json_to_recordset(CAST(:planned AS json)) AS input(enterprise_id bigint,
      subscription_id bigint, sequence bigint, event_row_id bigint, event_at timestamptz, object text,
      key text, state text, waits_for bigint, is_reserved boolean)
  ), planned AS (${insertDeliveriesSql("SELECT * FROM input")}
  ), counted AS (
    UPDATE subscription_health h SET last_sequence = l.last_sequence, ${includeDueNowSql}
    FROM json_to_recordset(CAST(:sequences AS json))
      AS l(subscription_id bigint, last_sequence bigint)
    WHERE h.subscription_id = l.subscription_id
  )
  SELECT id, subscription_id, sequence FROM planned WHERE state = 'queued'`;

type QueuedRow = { id: number; subscription_id: number; sequence: number };

/**
 * Inserts the deliveries of these events and removes the events from the outbox, including those
 * without deliveries. Returns the queued ones, whose jobs must be added after the commit. The caller
 * holds the health locks of the subscriptions.
 */
export async function insertDeliveries(
  trx: Trx,
  eventRowIds: readonly number[],
  planned: readonly PlannedDelivery[],
  limits: Pick<EnqueueLimits, "now" | "reservedMs">,
): Promise<EnqueuedDelivery[]> {
  const { now, reservedMs } = limits;
  const fresh = new Set(reservedMs > 0 ? planned.filter(mayBeFresh).slice(0, maxFreshJobs) : []);
  const sequences = new Map(planned.map((one) => [one.subscriptionId, one.sequence]));
  const rows = await preparedNamedRowsOf<QueuedRow>(trx, insertSql, {
    planned: JSON.stringify(planned.map((one) => plannedRow(one, fresh.has(one)))),
    sequences: JSON.stringify(
      [...sequences].map(([subscription_id, last_sequence]) => ({
        subscription_id,
        last_sequence,
      })),
    ),
    events: [...eventRowIds],
    now,
    reservedUntil: new Date(now.getTime() + reservedMs),
  });
  const ids = new Map(rows.map((row) => [`${row.subscription_id} ${row.sequence}`, row.id]));
  return planned.flatMap((one) => {
    const deliveryId = ids.get(`${one.subscriptionId} ${one.sequence}`);
    return deliveryId === undefined ? [] : [toNewJob(deliveryId, one, fresh.has(one) ? now : null)];
  });
}

function mayBeFresh({ state, event }: PlannedDelivery): boolean {
  return state === "queued" && event.content !== undefined;
}

function plannedRow(planned: PlannedDelivery, isReserved: boolean) {
  const { event, ...delivery } = planned;
  return {
    enterprise_id: event.enterpriseId,
    subscription_id: delivery.subscriptionId,
    sequence: delivery.sequence,
    event_row_id: event.eventRowId,
    event_at: event.occurredAt,
    object: event.object,
    key: event.key,
    state: delivery.state,
    waits_for: delivery.waitsFor,
    is_reserved: isReserved,
  };
}
