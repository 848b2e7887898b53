/** What the ledger stores about one event. Bound to the enterprise. */
import { dayMs } from "../../../platform/clock.ts";
import type { AttemptResult, DeliveryState, EndReason } from "../../../contracts/deliveries.ts";
import { namedRowsOf, rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import type { PastEvent } from "./events.ts";
import { liveStatesSql } from "../state-sql.ts";

/** A delivery of the event, and what currently blocks its subscription. */
export type EventDelivery = {
  id: number;
  subscriptionId: number;
  sequence: number;
  state: DeliveryState;
  attempts: number;
  dueAt: Date;
  /** The earlier delivery that this one waits for. */
  waitsFor: { id: number; sequence: number; state: DeliveryState } | null;
  lastResult: AttemptResult | null;
  endReason: EndReason | null;
  endedAt: Date | null;
  createdAt: Date;
  /** The replay that created it; null if the relay did. */
  replayId: number | null;
};

type EventDeliveryRow = {
  id: number;
  subscription_id: number;
  sequence: number;
  state: DeliveryState;
  attempts: number;
  due_at: Date;
  waits_for: number | null;
  first_id: number | null;
  first_state: DeliveryState | null;
  last_result: AttemptResult | null;
  end_reason: EndReason | null;
  ended_at: Date | null;
  created_at: Date;
  replay_id: number | null;
};

/** A subscription as it is now, possibly deleted, with the health of its receiver. */
export type SubscriptionNow = {
  id: number;
  name: string;
  throttledUntil: Date | null;
  probeAt: Date | null;
  /** Its own limit of requests per second. */
  maxPerSecond: number | null;
  /** Up to which sequence its receiver has pulled, and when it last asked. */
  pulledTo: number;
  pulledAt: Date | null;
};

/** The progress of the fan-out of an event. */
export type FanOutState =
  | { state: "waiting" }
  | { state: "dead_letter"; reason: string; at: Date }
  | { state: "fanned_out" };

/** A delivery to replay, and whether its event still has content. */
export type Repeatable = {
  id: number;
  state: DeliveryState;
  eventRowId: number;
  eventAt: Date;
  object: string;
  key: string;
  isEventKept: boolean;
  isExpunged: boolean;
  /** Another live delivery of the same event to the same subscription. */
  liveDeliveryId: number | null;
};

const selectSql = `
  SELECT d.id, d.subscription_id, d.sequence, d.state, d.attempts, d.due_at, d.waits_for,
    first.id AS first_id, first.state AS first_state, d.last_result, d.end_reason, d.ended_at,
    d.created_at, d.replay_id`;

// With LIMIT it is one lookup for each delivery, and never a scan of the subscription.
const firstSql = `
  LEFT JOIN LATERAL (
    SELECT id, state FROM deliveries
    WHERE subscription_id = d.subscription_id AND sequence = d.waits_for LIMIT 1) AS first ON true`;

// Each half of the condition matches one of the two indexes by event.
const deliveriesSql = `
  WITH of_event AS (
    SELECT * FROM deliveries WHERE event_row_id = :eventRowId AND replay_id IS NULL
    UNION ALL
    SELECT * FROM deliveries WHERE event_row_id = :eventRowId AND replay_id IS NOT NULL
  )
  ${selectSql}
  FROM of_event d ${firstSql}
  WHERE d.enterprise_id = :enterpriseId
  ORDER BY d.subscription_id, d.sequence`;

/** All deliveries of an event, including replays, by subscription and creation. */
export async function listEventDeliveries(
  db: Queryable,
  enterpriseId: number,
  eventRowId: number,
): Promise<EventDelivery[]> {
  return (await namedRowsOf<EventDeliveryRow>(db, deliveriesSql, { enterpriseId, eventRowId })).map(
    toDelivery,
  );
}

const subscriptionSql = `
  ${selectSql}, d.event_row_id
  FROM deliveries d ${firstSql}
  WHERE d.event_row_id = ANY(:eventRowIds) AND d.subscription_id = :subscriptionId
    AND d.replay_id IS NULL AND d.enterprise_id = :enterpriseId`;

export type SubscriptionEvents = {
  enterpriseId: number;
  subscriptionId: number;
  eventRowIds: readonly number[];
};

/** The deliveries of these events to one subscription, by event. Replays are left out. */
export async function listSubscriptionDeliveries(
  db: Queryable,
  events: SubscriptionEvents,
): Promise<Map<number, EventDelivery>> {
  const rows = await namedRowsOf<EventDeliveryRow & { event_row_id: number }>(
    db,
    subscriptionSql,
    events,
  );
  return new Map(rows.map((row) => [row.event_row_id, toDelivery(row)]));
}

function toDelivery(row: EventDeliveryRow): EventDelivery {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    sequence: row.sequence,
    state: row.state,
    attempts: row.attempts,
    dueAt: row.due_at,
    waitsFor:
      row.waits_for === null || row.first_id === null || row.first_state === null
        ? null
        : { id: row.first_id, sequence: row.waits_for, state: row.first_state },
    lastResult: row.last_result,
    endReason: row.end_reason,
    endedAt: row.ended_at,
    createdAt: row.created_at,
    replayId: row.replay_id,
  };
}

type SubscriptionNowRow = {
  id: number;
  name: string;
  throttled_until: Date | null;
  probe_at: Date | null;
  max_per_second: number | null;
  pulled_to: number;
  pulled_at: Date | null;
};

/** All subscriptions of the enterprise, including deleted ones, by creation. */
export async function listSubscriptionsNow(
  db: Queryable,
  enterpriseId: number,
): Promise<SubscriptionNow[]> {
  const rows = await rowsOf<SubscriptionNowRow>(
    db,
    `SELECT s.id, s.name, h.throttled_until, h.probe_at, s.max_per_second, h.pulled_to, h.pulled_at
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.enterprise_id = ? ORDER BY s.id`,
    [enterpriseId],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    throttledUntil: row.throttled_until,
    probeAt: row.probe_at,
    maxPerSecond: row.max_per_second,
    pulledTo: row.pulled_to,
    pulledAt: row.pulled_at,
  }));
}

export async function readFanOut(
  db: Queryable,
  { id }: Pick<PastEvent, "id">,
): Promise<FanOutState> {
  return (await readFanOuts(db, [id]))(id);
}

/** The progress of the fan-out of each of these events. */
export async function readFanOuts(
  db: Queryable,
  eventRowIds: readonly number[],
): Promise<(eventRowId: number) => FanOutState> {
  const rows = await rowsOf<FanOutRow>(
    db,
    `SELECT input.id, o.event_row_id IS NOT NULL AS is_waiting, dead.reason, dead.failed_at
     FROM unnest(?::bigint[]) AS input(id)
     LEFT JOIN outbox o ON o.event_row_id = input.id
     LEFT JOIN outbox_dead dead ON dead.event_row_id = input.id
     WHERE o.event_row_id IS NOT NULL OR dead.event_row_id IS NOT NULL`,
    [eventRowIds],
  );
  const states = new Map(rows.map((row) => [row.id, toFanOut(row)]));
  return (id) => states.get(id) ?? { state: "fanned_out" };
}

type FanOutRow = {
  id: number;
  is_waiting: boolean;
  reason: string | null;
  failed_at: Date | null;
};

function toFanOut({ is_waiting: isWaiting, reason, failed_at: at }: FanOutRow): FanOutState {
  return isWaiting || reason === null || at === null
    ? { state: "waiting" }
    : { state: "dead_letter", reason, at };
}

/** Since when no delivery of the enterprise has been deleted by retention. */
export async function readKeptSince(
  db: Queryable,
  enterpriseId: number,
  { now, defaultDays }: { now: Date; defaultDays: number },
): Promise<Date> {
  const [row] = await rowsOf<{ days: number }>(
    db,
    "SELECT coalesce(log_days, ?) AS days FROM enterprises WHERE id = ?",
    [defaultDays, enterpriseId],
  );
  return new Date(now.getTime() - (row?.days ?? defaultDays) * dayMs);
}

export async function findRepeatables(
  db: Queryable,
  subscriptionId: number,
  deliveryIds: readonly number[],
): Promise<Repeatable[]> {
  return rowsOf<Repeatable>(
    db,
    `SELECT d.id, d.state, d.event_row_id AS "eventRowId", d.event_at AS "eventAt", d.object, d.key,
       e.id IS NOT NULL AS "isEventKept", e.expunged_at IS NOT NULL AS "isExpunged",
       least(
         (SELECT min(id) FROM deliveries WHERE event_row_id = d.event_row_id
            AND subscription_id = d.subscription_id AND replay_id IS NULL AND state IN ${liveStatesSql}),
         (SELECT min(id) FROM deliveries WHERE event_row_id = d.event_row_id
            AND subscription_id = d.subscription_id AND replay_id IS NOT NULL
            AND state IN ${liveStatesSql})) AS "liveDeliveryId"
     FROM deliveries d
     LEFT JOIN events e ON e.id = d.event_row_id AND e.occurred_at = d.event_at
     WHERE d.subscription_id = ? AND d.id = ANY(?::bigint[])
     ORDER BY d.event_row_id, d.id`,
    [subscriptionId, [...deliveryIds]],
  );
}

/** Those deliveries that belong to the enterprise, by subscription. */
export async function groupBySubscription(
  db: Queryable,
  enterpriseId: number,
  deliveryIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await rowsOf<{ subscription_id: number; ids: number[] }>(
    db,
    `SELECT subscription_id, json_agg(id ORDER BY id) AS ids FROM deliveries
     WHERE enterprise_id = ? AND id = ANY(?::bigint[])
     GROUP BY subscription_id ORDER BY subscription_id`,
    [enterpriseId, [...deliveryIds]],
  );
  return new Map(rows.map((row) => [row.subscription_id, row.ids]));
}
