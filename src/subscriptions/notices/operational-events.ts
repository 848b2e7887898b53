/** The operational events of notices. Pure. */
import { originOf } from "../../contracts/subscriptions.ts";
import { presentObjectId } from "../../http/event-summary.ts";
import type { OutboundEvent } from "../../contracts/events.ts";
import type { OperationalNotice, LastFailure } from "../../pipeline/ledger/notices.ts";
import { keepPausedMs, switchOffAfterMs } from "../../pipeline/ledger/switch-off.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import type { NoticedSubscription } from "./store.ts";

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
      // Empty if the event is no longer kept.
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
