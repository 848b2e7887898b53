/** The operational events of notices. Pure. */
import type { OutboundEvent } from "../../contracts/events.ts";
import { originOf } from "../../contracts/subscriptions.ts";
import { presentObjectId } from "../../http/schema.ts";
import type { LastFailure, OperationalNotice } from "../../pipeline/ledger/notices.ts";
import { keepPausedMs, switchOffAfterMs } from "../../pipeline/ledger/switch-off.ts";
import { type Queryable, rowsOf } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";

export type DeadDelivery = Extract<OperationalNotice, { kind: "delivery.dead" }>;

/** A notice about the state of a subscription. */
export type StateNotice = Exclude<OperationalNotice, DeadDelivery>;

/** A subscription's notice with its details. */
export type SubscriptionNotice = Readonly<{
  notice: StateNotice;
  subscription: NoticedSubscription;
  lastFailure: LastFailure | null;
  at: Date;
}>;

const actionOf = {
  "subscription.warned": "warned",
  "subscription.disabled": "disabled",
  "subscription.recovered": "recovered",
} as const;

export function stateEvent(notified: SubscriptionNotice): OutboundEvent {
  const { notice, subscription } = notified;
  return {
    enterpriseId: notice.enterpriseId,
    key: keyOf(notice.subscriptionId),
    event: actionOf[notice.kind],
    object: "subscription",
    objectId: notice.subscriptionId,
    props: {
      name: subscription.name,
      origin: originOf(subscription.url),
      ...stateOf(notified),
    },
  };
}

function stateOf({ notice, lastFailure, at }: SubscriptionNotice): Record<string, unknown> {
  const lastResult = lastFailure?.result ?? null;
  switch (notice.kind) {
    case "subscription.warned":
      return {
        failingSince: toTimestamp(notice.failingSince),
        lastResult,
        switchesOffAt: toTimestamp(switchesOffAt(notice.failingSince)),
      };
    case "subscription.disabled":
      return {
        reason: notice.reason,
        failingSince: toTimestampOrNull(notice.failingSince),
        lastResult,
        keptUntil: toTimestamp(keptUntil(at)),
      };
    case "subscription.recovered":
      return { failingSince: toTimestamp(notice.failingSince) };
  }
}

/** When the platform switches the subscription off, unless a delivery succeeds before. */
export function switchesOffAt(failingSince: Date): Date {
  return new Date(failingSince.getTime() + switchOffAfterMs);
}

/** Until when the backlog of a subscription switched off at this time is kept. */
export function keptUntil(at: Date): Date {
  return new Date(at.getTime() + keepPausedMs);
}

export function deadEvent(dead: DeadDelivery): OutboundEvent {
  return {
    enterpriseId: dead.enterpriseId,
    key: keyOf(dead.subscriptionId),
    event: "dead",
    object: "delivery",
    objectId: dead.deliveryId,
    props: {
      subscriptionId: dead.subscriptionId,
      sequence: dead.sequence,
      // Empty if the event is no longer stored.
      eventId: dead.eventId === "" ? null : dead.eventId,
      object: dead.object,
      objectId: dead.objectId === "" ? null : presentObjectId(dead.objectId),
      attempts: dead.attempts,
      lastResult: dead.lastResult,
    },
  };
}

function keyOf(subscriptionId: number): string {
  return `subscription:${subscriptionId}`;
}

/** A subscription with its enterprise, by which every query filters. */
type NoticeSubject = Readonly<{ enterpriseId: number; subscriptionId: number }>;

/** The details of a subscription in a notice. */
export type NoticedSubscription = Readonly<{
  id: number;
  enterpriseId: number;
  name: string;
  url: string | null;
  isActive: boolean;
}>;

/** The current state of these subscriptions, without deleted ones. */
export async function findNoticedSubscriptions(
  db: Queryable,
  wanted: readonly NoticeSubject[],
): Promise<Map<number, NoticedSubscription>> {
  const rows = await rowsOf<{
    id: number;
    enterprise_id: number;
    name: string;
    url: string | null;
    is_active: boolean;
  }>(
    db,
    `SELECT s.id, s.enterprise_id, s.name, s.url, s.is_active
     FROM json_to_recordset(?::json) AS wanted (enterprise_id bigint, id bigint)
     JOIN subscriptions s ON s.enterprise_id = wanted.enterprise_id AND s.id = wanted.id
     WHERE s.deleted_at IS NULL`,
    [
      JSON.stringify(
        wanted.map(({ enterpriseId, subscriptionId }) => ({
          enterprise_id: enterpriseId,
          id: subscriptionId,
        })),
      ),
    ],
  );
  return new Map(
    rows.map(({ id, enterprise_id, name, url, is_active }) => [
      id,
      { id, enterpriseId: enterprise_id, name, url, isActive: is_active },
    ]),
  );
}

/** `*` does not include operational events, so filters that select these begin with this. */
const subscribersSql = `
  SELECT s.enterprise_id, s.id FROM subscriptions s
  WHERE s.enterprise_id = ANY (?::bigint[]) AND s.is_active AND s.deleted_at IS NULL
    AND EXISTS (SELECT FROM unnest(s.filters) AS filter WHERE filter LIKE 'delivery.%')`;

/** Active subscriptions that select events about deliveries, by enterprise. */
export async function findDeliveryEventSubscribers(
  db: Queryable,
  enterpriseIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await preparedRowsOf<{ enterprise_id: number; id: number }>(db, subscribersSql, [
    [...new Set(enterpriseIds)],
  ]);
  const askers = new Map<number, number[]>();
  for (const { enterprise_id, id } of rows) {
    askers.set(enterprise_id, [...(askers.get(enterprise_id) ?? []), id]);
  }
  return askers;
}
