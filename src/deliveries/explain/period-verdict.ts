/**
 * Why a webhook received nothing, or not everything, in a period: the most important reason, and
 * what to do about it. In: the counts of the period and the state of the webhook. Pure.
 */
import { successResult } from "../../contracts/deliveries.ts";
import type { Revision } from "../../pipeline/ledger/match-event.ts";
import type { SubscriptionStatus } from "../../pipeline/ledger/queries/subscription-period.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { PeriodCounts, VerdictCount } from "./count-events.ts";
import type { ExplainVerdict } from "./findings.ts";

export const periodVerdicts = [
  "gap",
  "set_aside",
  "off",
  "throttled",
  "circuit_open",
  "failing",
  "not_fanned_out",
  "behind",
  "waits_for_other",
  "cancelled",
  "available",
  "removed",
  "delivered",
  "pulled",
  "in_flight",
  "no_events",
  "filters",
  "conditions",
  "created_later",
  "deleted",
  "own",
  "changing",
  "unjudged",
] as const;

export type PeriodVerdict = (typeof periodVerdicts)[number];

export type PeriodFinding = {
  verdict: PeriodVerdict;
  /** How many events it concerns. */
  count: number;
  text: string;
  advice: string;
};

export type PeriodFacts = {
  subscription: SubscriptionStatus;
  counts: PeriodCounts;
  /** The revision that disabled or deleted it, if it is disabled or deleted now. */
  ended: Revision | undefined;
  /** Whether the period ends now, so that the present state of the webhook belongs to it. */
  isCurrent: boolean;
};

type Reason = Pick<PeriodFinding, "verdict" | "count">;

export function findPeriodVerdict(facts: PeriodFacts): PeriodFinding {
  const reason = reasonOf(facts);
  const { text, advice } = wordsOf[reason.verdict](facts, reason.count);
  return { ...reason, text: `${summaryOf(facts.counts)} ${text}`, advice };
}

function reasonOf(facts: PeriodFacts): Reason {
  const { counts } = facts;
  if (counts.matched > 0) {
    return matchedReason(counts);
  }
  return endedReason(facts) ?? unmatchedReason(counts);
}

/** Without matching events, a webhook that is disabled or deleted is the first thing to know. */
function endedReason({ subscription, counts, isCurrent }: PeriodFacts): Reason | undefined {
  if (!isCurrent || (subscription.isActive && !subscription.isDeleted)) {
    return undefined;
  }
  return { verdict: subscription.isDeleted ? "deleted" : "off", count: counts.events };
}

/** Verdicts of events that nobody expects at the webhook; they explain nothing about the others. */
const expectedVerdicts: readonly ExplainVerdict[] = ["created_later", "own"];

/** The most frequent reason why no event matched. */
function unmatchedReason({ verdicts }: PeriodCounts): Reason {
  const groups = [...verdicts.values()].toSorted((a, b) => b.count - a.count);
  const first = groups.find(({ verdict }) => !expectedVerdicts.includes(verdict)) ?? groups[0];
  return first === undefined
    ? { verdict: "no_events", count: 0 }
    : { verdict: first.verdict as PeriodVerdict, count: first.count };
}

/** The first reason that applies: what needs a person comes before what passes by itself. */
function matchedReason(counts: PeriodCounts): Reason {
  const all = (verdict: ExplainVerdict): number => counts.verdicts.get(verdict)?.count ?? 0;
  const late = (verdict: ExplainVerdict): number => counts.verdicts.get(verdict)?.late ?? 0;
  const reasons: Reason[] = [
    { verdict: "gap", count: all("gap") },
    { verdict: "set_aside", count: all("set_aside") },
    { verdict: "off", count: all("paused") },
    { verdict: "throttled", count: all("throttled") },
    { verdict: "circuit_open", count: all("circuit_open") },
    { verdict: "failing", count: counts.failing },
    { verdict: "not_fanned_out", count: late("not_fanned_out") },
    { verdict: "behind", count: counts.overdue },
    { verdict: "waits_for_other", count: late("waits_for_other") },
    { verdict: "cancelled", count: all("cancelled") },
    { verdict: "available", count: late("available") },
    { verdict: "removed", count: all("removed") },
    { verdict: "delivered", count: all("delivered") },
    { verdict: "pulled", count: all("pulled") },
  ];
  return reasons.find(({ count }) => count > 0) ?? { verdict: "in_flight", count: counts.matched };
}

/** Verdicts of events that have arrived. */
const arrivedVerdicts: readonly ExplainVerdict[] = ["delivered", "pulled"];

export function countArrived({ verdicts }: PeriodCounts): number {
  return sumOf([...verdicts.values()].filter(({ verdict }) => arrivedVerdicts.includes(verdict)));
}

function sumOf(groups: readonly VerdictCount[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

function summaryOf(counts: PeriodCounts): string {
  const { events, matched, truncatedAt } = counts;
  const least =
    truncatedAt === null
      ? ""
      : `Only the newest events were read, back to ${toTimestamp(truncatedAt)}. `;
  return events === 0
    ? `${least}No event happened.`
    : `${least}${plural(events, "event")} happened, ${matched} matched the webhook, ${countArrived(counts)} arrived.`;
}

function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return count === 1 ? `1 ${noun}` : `${count} ${nouns}`;
}

type Words = { text: string; advice: string };

const recoverAdvice = "Then recover the webhook since the beginning of the outage.";

const operatorAdvice = "Contact the operator of the platform.";

const wordsOf: Readonly<Record<PeriodVerdict, (facts: PeriodFacts, count: number) => Words>> = {
  gap: (_facts, count) => ({
    text: `${plural(count, "matching event")} without a delivery: an internal error.`,
    advice: operatorAdvice,
  }),
  set_aside: (_facts, count) => ({
    text: `The platform could not process ${plural(count, "matching event")} (dead letters).`,
    advice: operatorAdvice,
  }),
  off: (facts) => ({
    text: `The webhook ${wasOff(facts)}.`,
    advice: facts.subscription.isActive
      ? "Recover the webhook since the time when it was disabled."
      : "Enable the webhook. Then recover it since the time when it was disabled.",
  }),
  throttled: ({ subscription: { throttledUntil } }) => ({
    text: `The receiver asked for a pause (429 or 503 with Retry-After)${until(throttledUntil)}.`,
    advice:
      "Wait for it, or disable and enable the webhook if the receiver can take requests again.",
  }),
  circuit_open: (facts) => ({
    text: `The receiver fails all the time, so it only gets single probes.${lastResult(facts)}`,
    advice: `Repair the receiver, and send a probe. ${recoverAdvice}`,
  }),
  failing: (facts, count) => ({
    text: `The attempts of ${plural(count, "delivery", "deliveries")} failed.${lastResult(facts)}`,
    advice: `Look at the receiver's responses in the delivery log, and repair the receiver. ${recoverAdvice}`,
  }),
  not_fanned_out: (_facts, count) => ({
    text: `The platform has not processed ${plural(count, "matching event")} yet.`,
    advice: operatorAdvice,
  }),
  behind: ({ subscription: { maxInFlight } }, count) => ({
    text: `${count} of the deliveries are due and have not been attempted.`,
    advice:
      maxInFlight === null
        ? "Look at the health of the webhook: the receiver is slow, its limit is low, or the platform is behind."
        : `Look at the health of the webhook. At most ${plural(maxInFlight, "request")} may be in flight (maxInFlight).`,
  }),
  waits_for_other: (_facts, count) => ({
    text: `${count} of the deliveries wait for an earlier delivery of the same object, which has not arrived.`,
    advice: "Explain one of these events: the answer names the earlier delivery.",
  }),
  cancelled: (_facts, count) => ({
    text: `${count} of the deliveries were cancelled.`,
    advice:
      "Explain one of these events: the answer says why. Replay them if they are still needed.",
  }),
  available: ({ subscription: { pulledAt } }, count) => ({
    text: `${plural(count, "event")} can be pulled. ${pulledAt === null ? "The receiver has never asked for events" : `The receiver last asked at ${toTimestamp(pulledAt)}`}.`,
    advice: "Check that the program that pulls the events is running.",
  }),
  removed: (_facts, count) => ({
    text: `The deliveries of ${plural(count, "matching event")} are no longer stored.`,
    advice: "Choose a later period.",
  }),
  delivered: () => ({
    text: "The receiver answered them with 2xx.",
    advice:
      "If the program behind it has none of them, look for the header webhook-id in the log of the receiver and of the proxies before it.",
  }),
  pulled: () => ({
    text: "The receiver has pulled them.",
    advice: "Look for them in the log of the program that pulls the events.",
  }),
  in_flight: () => ({
    text: "They are less than a minute old and on their way.",
    advice: "Ask again in a minute.",
  }),
  no_events: () => ({
    text: "There was nothing to send.",
    advice: "Choose a longer period, or check whether the objects that you expect have changed.",
  }),
  filters: (_facts, count) => ({
    text: `${count} did not match its filters.`,
    advice: "Compare the filters of the webhook with the kinds of events that happened.",
  }),
  conditions: (_facts, count) => ({
    text: `${count} did not meet its conditions.`,
    advice: "Compare the conditions of the webhook with the values of an event.",
  }),
  created_later: () => ({
    text: "The webhook was created later.",
    advice: "Replay the events that it needs.",
  }),
  deleted: ({ ended }) => ({
    text: `The webhook was deleted${at(ended?.validFrom ?? null)}.`,
    advice: "Create another webhook.",
  }),
  own: () => ({
    text: "The events are about the webhook itself, which receives none about itself.",
    advice: "Use another webhook for them.",
  }),
  changing: () => ({
    text: "The webhook was changed at that time, and its previous settings did not match.",
    advice: "Replay the events that it needs.",
  }),
  unjudged: () => ({
    text: "The content of the events was removed, so that its conditions cannot be checked.",
    advice: "Choose a later period.",
  }),
};

function wasOff({ subscription, ended, counts }: PeriodFacts): string {
  if (!subscription.isActive) {
    const isOurs = ended?.reason === "gone" || ended?.reason === "failing";
    return `has been disabled${isOurs ? " by the platform" : ""}${sinceTime(ended?.validFrom)}`;
  }
  return `had been disabled${sinceTime(counts.verdicts.get("off")?.finding.since)} when they happened`;
}

function sinceTime(time: Date | null | undefined): string {
  return time === null || time === undefined ? "" : ` since ${toTimestamp(time)}`;
}

function until(time: Date | null): string {
  return time === null ? "" : ` until ${toTimestamp(time)}`;
}

function at(time: Date | null): string {
  return time === null ? "" : ` at ${toTimestamp(time)}`;
}

/** The most frequent bad result of the last attempts. */
function lastResult({ counts: { results } }: PeriodFacts): string {
  const [first] = [...results]
    .filter(([result]) => result !== successResult)
    .toSorted(([, a], [, b]) => b - a);
  return first === undefined
    ? ""
    : ` Most frequent result: ${first[0]} (${plural(first[1], "delivery", "deliveries")}).`;
}
