/** Findings about an event and a subscription: what happened and why. */
import type { DeliveryState, EndReason } from "../../contracts/deliveries.ts";
import type { FilterMismatch } from "../../contracts/filters.ts";
import type { UnmetCondition } from "../../pipeline/ledger/conditions.ts";
import type { EventContent, Revision } from "../../pipeline/ledger/match-event.ts";
import type { PastEvent } from "../../pipeline/ledger/queries/events.ts";
import type {
  EventDelivery,
  FanOutState,
  SubscriptionNow,
} from "../../pipeline/ledger/queries/event-deliveries.ts";
import { toTimestamp } from "../../platform/timestamps.ts";

export const verdicts = [
  "delivered",
  "available",
  "pulled",
  "in_flight",
  "waiting",
  "waits_for_other",
  "throttled",
  "circuit_open",
  "paused",
  "dead",
  "cancelled",
  "not_fanned_out",
  "dead_letter",
  "filters",
  "conditions",
  "off",
  "created_later",
  "deleted",
  "own",
  "changing",
  "undetermined",
  "removed",
  "gap",
] as const;

export type ExplainVerdict = (typeof verdicts)[number];

/** Verdicts of events that the webhook was not meant to get, or for which that is unknown. */
export const unmatchedVerdicts: readonly ExplainVerdict[] = [
  "filters",
  "conditions",
  "off",
  "created_later",
  "deleted",
  "own",
  "changing",
  "undetermined",
];

/** A verdict with the period in which it holds; null where the period is open. */
export type Finding = {
  verdict: ExplainVerdict;
  text: string;
  since: Date | null;
  until: Date | null;
  /** The revision that caused it, if a change of the subscription did. */
  cause: Revision | null;
  filters: readonly FilterMismatch[];
  conditions: readonly UnmetCondition[];
};

export type ExplainContext = {
  event: PastEvent;
  content: EventContent;
  fanOut: FanOutState;
  /** Deliveries since this time have not been deleted by retention. */
  keptSince: Date;
  /** Subscriptions that have a gap in their sequences where the delivery would be. */
  gaps: ReadonlySet<number>;
  now: Date;
};

/** A subscription and its delivery of the event. */
export type SubscriptionCase = {
  subscription: SubscriptionNow;
  /** Oldest first, at least one. */
  revisions: readonly Revision[];
  /** The original delivery, not a replay; undefined if there is none. */
  delivery: EventDelivery | undefined;
};

type DeliveryCase = SubscriptionCase & { delivery: EventDelivery };

const endReasonTexts: Readonly<Record<EndReason, string>> = {
  webhook_deleted: "the webhook was deleted",
  off_too_long: "the webhook was disabled for too long",
  expunged: "the content of the event was removed on request",
  replay_cancelled: "its replay was cancelled",
};

const findingByState: Readonly<Partial<Record<DeliveryState, (holder: DeliveryCase) => Finding>>> =
  {
    delivered: findDelivered,
    available: findAvailable,
    dead: findDead,
    cancelled: findCancelled,
    queued: findInFlight,
    sending: findInFlight,
  };

/** What a delivery waits for, or how it ended. */
export function explainDelivery(known: ExplainContext, holder: DeliveryCase): Finding {
  const { state } = holder.delivery;
  const find = findingByState[state];
  return find === undefined ? findWaiting(known, holder) : find(holder);
}

/** The first reason why a delivery is not sent yet. */
function findWaiting(known: ExplainContext, holder: DeliveryCase): Finding {
  const { delivery, revisions } = holder;
  const newest = revisions.at(-1);
  if (newest?.isDeleted === true) {
    return finding("cancelled", "The webhook was deleted.", {
      since: newest.validFrom,
      cause: newest,
    });
  }
  if (newest?.isActive === false) {
    return findPaused(holder);
  }
  return delivery.waitsFor === null
    ? (findHeldBack(known, holder) ?? findScheduled(known, holder))
    : findSuccessor(delivery.waitsFor);
}

function findPaused({ revisions }: DeliveryCase): Finding {
  const newest = revisions.at(-1);
  const off = newest === undefined ? undefined : offPeriod(revisions, newest).from;
  const text =
    "The webhook is disabled. The delivery is sent if the webhook is enabled within seven days.";
  return finding("paused", text, { since: off?.validFrom ?? null, cause: off ?? null });
}

/**
 * The revision that switched the subscription off, and the one that switched it on again, if any.
 */
export function offPeriod(
  revisions: readonly Revision[],
  during: Revision,
): { from: Revision; to: Revision | undefined } {
  const at = revisions.indexOf(during);
  const lastOn = revisions.slice(0, at).findLastIndex((one) => one.isActive);
  return {
    from: revisions[lastOn + 1] ?? during,
    to: revisions.slice(at + 1).find((one) => one.isActive),
  };
}

/** Throttling or an open circuit, if it lasts longer than the delivery waits anyway. */
function findHeldBack(
  { now }: ExplainContext,
  { delivery, subscription }: DeliveryCase,
): Finding | undefined {
  const { throttledUntil, probeAt } = subscription;
  const later = (time: Date | null): time is Date => time !== null && time > delivery.dueAt;
  if (later(throttledUntil) && throttledUntil > now) {
    return findThrottled(throttledUntil);
  }
  return later(probeAt) ? findCircuit(probeAt) : undefined;
}

function findThrottled(until: Date): Finding {
  const text = `The receiver asked for a pause (429 or 503 with Retry-After): nothing is sent to this webhook before ${toTimestamp(until)}.`;
  return finding("throttled", text, { until });
}

function findCircuit(until: Date): Finding {
  const text = `The receiver keeps failing: only single probes are sent, the next one at ${toTimestamp(until)}.`;
  return finding("circuit_open", text, { until });
}

function findScheduled(
  { now }: ExplainContext,
  { delivery, subscription: { maxPerSecond } }: DeliveryCase,
): Finding {
  const { attempts, dueAt, lastResult } = delivery;
  if (dueAt <= now) {
    const limit =
      maxPerSecond === null
        ? ""
        : ` and its limit of requests per second (maxPerSecond: ${maxPerSecond}) allows it`;
    const text = `The delivery is due. It is sent as soon as the webhook may have another request in flight${limit}.`;
    return finding("waiting", text, { since: dueAt });
  }
  const failed =
    attempts === 0
      ? ""
      : ` ${times(attempts)} failed, the last with ${lastResult ?? "an unknown result"}.`;
  return finding("waiting", `Waiting until ${toTimestamp(dueAt)}.${failed}`, { until: dueAt });
}

function findSuccessor(first: NonNullable<EventDelivery["waitsFor"]>): Finding {
  const { id, sequence, state } = first;
  const text = `An earlier delivery of the same object is sent first: ${id} (sequence ${sequence}, state ${state}).`;
  return finding("waits_for_other", text);
}

function findCancelled({ delivery }: DeliveryCase): Finding {
  const { endReason, endedAt } = delivery;
  const why = endReason === null ? "" : ` because ${endReasonTexts[endReason]}`;
  return finding("cancelled", `Cancelled${why}.`, { since: endedAt });
}

function findDelivered({ delivery: { attempts, endedAt } }: DeliveryCase): Finding {
  const tries = attempts > 1 ? ` on attempt ${attempts}` : "";
  return finding("delivered", `Delivered${tries}.`, { since: endedAt });
}

function findDead({ delivery: { attempts, lastResult, endedAt } }: DeliveryCase): Finding {
  const last = lastResult === null ? "" : ` The result of the last one: ${lastResult}.`;
  const text = `Failed after ${times(attempts)}.${last} It can be replayed.`;
  return finding("dead", text, { since: endedAt });
}

function times(count: number): string {
  return count === 1 ? "1 attempt" : `${count} attempts`;
}

function findAvailable({ delivery, subscription }: DeliveryCase): Finding {
  const { pulledTo, pulledAt } = subscription;
  return pulledTo >= delivery.sequence
    ? finding("pulled", "The receiver has pulled the event.", { until: pulledAt })
    : finding("available", "The event is ready for the receiver to pull.", {
        since: delivery.endedAt,
      });
}

function findInFlight({ delivery }: DeliveryCase): Finding {
  return finding(
    "in_flight",
    delivery.state === "sending"
      ? `Attempt ${delivery.attempts + 1} is in progress.`
      : `Attempt ${delivery.attempts + 1} is queued.`,
  );
}

export function finding(
  verdict: ExplainVerdict,
  text: string,
  more: Partial<Omit<Finding, "verdict" | "text">> = {},
): Finding {
  return {
    verdict,
    text,
    since: null,
    until: null,
    cause: null,
    filters: [],
    conditions: [],
    ...more,
  };
}
