/** The operational events of notices. Pure. */
import type { OutboundEvent } from "../../contracts/events.ts";
import type { Notice } from "../../pipeline/ledger/notices.ts";
import { keepPausedMs, switchOffAfterMs } from "../../pipeline/ledger/switch-off.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import type { LastFailure, NoticedSubscription } from "./store.ts";

export type DeadDelivery = Extract<Notice, { kind: "delivery.dead" }>;
/** A notice about the state of a subscription. */
export type StateNotice = Exclude<Notice, DeadDelivery>;

/** A subscription's notice with what is to be said about it. */
export type Told = Readonly<{
  notice: StateNotice;
  subscription: NoticedSubscription;
  lastFailure: LastFailure | null;
  at: Date;
}>;

/** Where requests go to. Path and query may hold keys, and are nobody else's business. */
export const originOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).origin : null;

/** When the platform gives up, where nothing succeeds before. */
export const switchesOffAt = (failingSince: Date): Date =>
  new Date(failingSince.getTime() + switchOffAfterMs);

/** Until when what waits for a subscription that was switched off at this time is kept. */
export const keptUntil = (at: Date): Date => new Date(at.getTime() + keepPausedMs);

const stateOf = ({ notice, lastFailure, at }: Told): Record<string, unknown> => {
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
};

const actionOf = {
  "subscription.warned": "warned",
  "subscription.disabled": "disabled",
  "subscription.recovered": "recovered",
} as const;

const keyOf = (subscriptionId: number): string => `subscription:${subscriptionId}`;

export const stateEvent = (told: Told): OutboundEvent => {
  const { notice, subscription } = told;
  return {
    enterpriseId: notice.enterpriseId,
    key: keyOf(notice.subscriptionId),
    event: actionOf[notice.kind],
    object: "subscription",
    objectId: notice.subscriptionId,
    props: {
      name: subscription.name,
      origin: originOf(subscription.url),
      ...stateOf(told),
    },
  };
};

/** As in the body of the event: ids are integers, but for objects that have a public uid. */
const objectIdOf = (text: string): number | string | null =>
  text === "" ? null : /^\d{1,15}$/u.test(text) ? Number(text) : text;

export const deadEvent = (dead: DeadDelivery): OutboundEvent => ({
  enterpriseId: dead.enterpriseId,
  key: keyOf(dead.subscriptionId),
  event: "dead",
  object: "delivery",
  objectId: dead.deliveryId,
  props: {
    subscriptionId: dead.subscriptionId,
    sequence: dead.sequence,
    // Empty where the event itself was not kept so long.
    eventId: dead.messageId === "" ? null : dead.messageId,
    object: dead.object,
    objectId: objectIdOf(dead.objectId),
    attempts: dead.attempts,
    lastResult: dead.lastResult,
  },
});
