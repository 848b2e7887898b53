/** What the verdict about a period means, and what to do about it, in words. Pure. */
import { successResult } from "../../contracts/deliveries.ts";
import type { Revision } from "../../pipeline/ledger/match-event.ts";
import type { SubscriptionStatus } from "../../pipeline/ledger/queries/subscription-period.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { PeriodCounts, VerdictCount } from "./count-events.ts";
import type { ExplainVerdict } from "./findings.ts";

export const periodVerdicts = [
  "gap",
  "dead_letter",
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
  "undetermined",
] as const;

export type PeriodVerdict = (typeof periodVerdicts)[number];

export type PeriodFacts = {
  subscription: SubscriptionStatus;
  counts: PeriodCounts;
  /** The revision that disabled or deleted it, if it is disabled or deleted now. */
  ended: Revision | undefined;
  /** When its filters or conditions were last changed; undefined if never. */
  changedAt: Date | undefined;
  /** The start of the period. */
  since: Date;
  /** Whether the period ends now, so that the present state of the webhook belongs to it. */
  isCurrent: boolean;
};

/** The verdict, and how many events it concerns. */
export type PeriodReason = { verdict: PeriodVerdict; count: number };

export type Words = { text: string; advice: string };

export function describeReason(facts: PeriodFacts, { verdict, count }: PeriodReason): Words {
  const { text, advice } = wordsOf[verdict](facts, count);
  const summary = summaryOf(facts.counts);
  const unmet = facts.counts.verdicts.get("conditions")?.count ?? 0;
  return verdict === "filters" && unmet > 0
    ? {
        // Events that the filters let through are usually the ones that somebody misses.
        text: `${summary} ${text} ${unmet} matched its filters, but did not meet its conditions.`,
        advice: `${advice} Compare its conditions with the values of an event.`,
      }
    : { text: `${summary} ${text}`, advice };
}

/** Verdicts of events that have arrived. */
export const arrivedVerdicts: readonly ExplainVerdict[] = ["delivered", "pulled"];

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

const recoverAdvice = "Then recover the webhook since the beginning of the outage.";

const operatorAdvice = "Contact the operator of the platform.";

const wordsOf: Readonly<Record<PeriodVerdict, (facts: PeriodFacts, count: number) => Words>> = {
  gap: (_facts, count) => ({
    text: `${plural(count, "matching event")} without a delivery: an internal error.`,
    advice: operatorAdvice,
  }),
  dead_letter: (_facts, count) => ({
    text: `The platform could not process ${plural(count, "matching event")} (dead letters).`,
    advice: operatorAdvice,
  }),
  off: (facts, count) => ({
    text: facts.subscription.isActive
      ? `${plural(count, "event")} happened while the webhook was disabled${sinceTime(offSince(facts))}.`
      : `The webhook has been disabled${byPlatform(facts)}${sinceTime(facts.ended?.validFrom)}.`,
    advice: facts.subscription.isActive
      ? "Recover the webhook since the time when it was disabled."
      : "Enable the webhook. Then recover it since the time when it was disabled.",
  }),
  throttled: ({ subscription: { throttledUntil } }) => ({
    text: `The receiver asked for a pause (429 or 503 with Retry-After)${until(throttledUntil)}.`,
    advice: "Wait until then, or disable and enable the webhook if the receiver is ready.",
  }),
  circuit_open: (facts) => ({
    text: `The receiver keeps failing, so it gets only single probes.${lastResult(facts)}`,
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
  behind: ({ subscription }, count) => ({
    text: `${count} of the deliveries are due and have not been attempted.`,
    advice: adviceByLimits(subscription),
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
    text: `${plural(count, "event")} can be pulled. ${pulledAt === null ? "The receiver has never pulled events" : `The receiver last pulled at ${toTimestamp(pulledAt)}`}.`,
    advice: "Check that the program that pulls the events is running.",
  }),
  removed: (_facts, count) => ({
    text: `The deliveries of ${plural(count, "matching event")} are no longer stored.`,
    advice: "Choose a more recent period.",
  }),
  delivered: () => ({
    text: "The receiver responded to them with 2xx.",
    advice:
      "If the program behind it has none of them, look for the header webhook-id in the logs of the receiver and of the proxies in front of it.",
  }),
  pulled: () => ({
    text: "The receiver has pulled them.",
    advice: "Look for them in the log of the program that pulls the events.",
  }),
  in_flight: () => ({
    text: "They are less than a minute old and on their way.",
    advice: "Check again in a minute.",
  }),
  no_events: () => ({
    text: "There was nothing to send.",
    advice: "Choose a longer period, or check whether the objects that you expect have changed.",
  }),
  filters: (facts, count) => ({
    text: `${count} did not match its filters.${changeText(facts)}`,
    advice: "Compare the filters of the webhook with the types of the events.",
  }),
  conditions: (facts, count) => ({
    text: `${count} did not meet its conditions.${changeText(facts)}`,
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
  undetermined: () => ({
    text: "The content of the events was removed, so nothing more can be checked.",
    advice: "Choose a more recent period.",
  }),
};

function offSince({ counts }: PeriodFacts): Date | null | undefined {
  return counts.verdicts.get("off")?.finding.since;
}

function byPlatform({ ended }: PeriodFacts): string {
  return ended?.reason === "gone" || ended?.reason === "failing" ? " by the platform" : "";
}

/** Says that the settings are from within the period. */
function changeText({ changedAt, since }: PeriodFacts): string {
  return changedAt === undefined || changedAt < since
    ? ""
    : ` They were changed at ${toTimestamp(changedAt)}.`;
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

/** What to check if deliveries are due: the limits that the webhook has, if it has any. */
function adviceByLimits({
  maxInFlight,
  maxPerSecond,
}: Pick<PeriodFacts["subscription"], "maxInFlight" | "maxPerSecond">): string {
  const limits = [
    maxInFlight !== null &&
      `At most ${plural(maxInFlight, "request")} may be in flight (maxInFlight).`,
    maxPerSecond !== null &&
      `Its limit is ${plural(maxPerSecond, "request")} per second (maxPerSecond).`,
  ].filter((limit) => limit !== false);
  return limits.length === 0
    ? "Check the health of the webhook: the receiver is slow, or the platform is behind."
    : `Check the health of the webhook. ${limits.join(" ")}`;
}
