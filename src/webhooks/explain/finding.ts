/** What can be found out about an event at a subscription. */
import type { FilterMismatch } from "../../contracts/filters.ts";
import type { UnmetCondition } from "../../pipeline/ledger/conditions.ts";
import type { Content, Revision } from "../../pipeline/ledger/revisions.ts";
import type { PastEvent } from "./events.ts";
import type { EventDelivery, FanOutState, SubscriptionNow } from "./store.ts";

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
  "set_aside",
  "filters",
  "conditions",
  "off",
  "created_later",
  "deleted",
  "own",
  "changing",
  "unjudged",
  "removed",
  "gap",
] as const;
export type Verdict = (typeof verdicts)[number];

/** What happened, and the period in which it was, is or will be so: null where it is open. */
export type Finding = {
  verdict: Verdict;
  text: string;
  since: Date | null;
  until: Date | null;
  /** The revision that made it so, where it was a change of the subscription. */
  cause: Revision | null;
  filters: readonly FilterMismatch[];
  conditions: readonly UnmetCondition[];
};

export type Known = {
  event: PastEvent;
  content: Content;
  fanOut: FanOutState;
  /** From when on no delivery has been removed for its age. */
  keptSince: Date;
  /** Subscriptions without a delivery of it, in which a sequence is missing at its place. */
  holes: ReadonlySet<number>;
  now: Date;
};

/** One subscription and what it has of the event. */
export type Party = {
  subscription: SubscriptionNow;
  /** Oldest first, at least one. */
  revisions: readonly Revision[];
  /** What the relay made of the event; undefined where there is nothing. */
  delivery: EventDelivery | undefined;
};

export function finding(
  verdict: Verdict,
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

/** The revision that switched a subscription off, and the one that ended that, if any did. */
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
