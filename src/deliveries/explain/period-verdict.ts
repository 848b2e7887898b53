/**
 * Why a webhook received nothing, or not everything, in a period: the most important reason. In: the
 * counts of the period and the state of the webhook. Pure.
 */
import type { PeriodCounts, VerdictCount } from "./count-events.ts";
import type { ExplainVerdict } from "./findings.ts";
import {
  arrivedVerdicts,
  describeReason,
  type PeriodFacts,
  type PeriodReason,
  type PeriodVerdict,
  type Words,
} from "./period-words.ts";

export type PeriodFinding = PeriodReason & Words;

export function findPeriodVerdict(facts: PeriodFacts): PeriodFinding {
  const reason = reasonOf(facts);
  return { ...reason, ...describeReason(facts, reason) };
}

function reasonOf(facts: PeriodFacts): PeriodReason {
  const { counts } = facts;
  if (counts.matched === 0) {
    return endedReason(facts) ?? unmatchedReason(counts);
  }
  const reason = matchedReason(counts);
  return undeliveredVerdicts.includes(reason.verdict) ? reason : (stoppedReason(facts) ?? reason);
}

/** Verdicts about matching events that have not arrived. They come before any other. */
const undeliveredVerdicts: readonly PeriodVerdict[] = [
  ...(["gap", "dead_letter", "off", "throttled", "circuit_open", "failing"] as const),
  ...(["not_fanned_out", "behind", "waits_for_other", "cancelled", "available"] as const),
];

/** Why nothing arrives since some time of the period, although earlier events may have arrived. */
function stoppedReason(facts: PeriodFacts): PeriodReason | undefined {
  const off = facts.counts.verdicts.get("off");
  return endedReason(facts) ?? groupReason(off) ?? groupReason(findChanged(facts));
}

/** The events that do not match since the settings were changed, if none has arrived since. */
function findChanged({ counts, changedAt, since }: PeriodFacts): VerdictCount | undefined {
  if (changedAt === undefined || changedAt < since) {
    return undefined;
  }
  const newest = (verdicts: readonly ExplainVerdict[]): VerdictCount | undefined =>
    verdicts
      .flatMap((verdict) => counts.verdicts.get(verdict) ?? [])
      .find(({ event }) => event.occurredAt >= changedAt);
  return newest(arrivedVerdicts) === undefined ? newest(["filters", "conditions"]) : undefined;
}

function groupReason(group: VerdictCount | undefined): PeriodReason | undefined {
  return group && { verdict: group.verdict as PeriodVerdict, count: group.count };
}

/** A webhook that is disabled or deleted now. */
function endedReason({ subscription, counts, isCurrent }: PeriodFacts): PeriodReason | undefined {
  if (!isCurrent || (subscription.isActive && !subscription.isDeleted)) {
    return undefined;
  }
  return { verdict: subscription.isDeleted ? "deleted" : "off", count: counts.events };
}

/** Verdicts of events that nobody expects at the webhook; they explain nothing about the others. */
const expectedVerdicts: readonly ExplainVerdict[] = ["created_later", "own"];

/** The most frequent reason why no event matched. */
function unmatchedReason({ verdicts }: PeriodCounts): PeriodReason {
  const groups = [...verdicts.values()].toSorted((a, b) => b.count - a.count);
  const first = groups.find(({ verdict }) => !expectedVerdicts.includes(verdict)) ?? groups[0];
  return groupReason(first) ?? { verdict: "no_events", count: 0 };
}

/** The first reason that applies: what needs a person comes before what passes by itself. */
function matchedReason(counts: PeriodCounts): PeriodReason {
  const all = (verdict: ExplainVerdict): number => counts.verdicts.get(verdict)?.count ?? 0;
  const late = (verdict: ExplainVerdict): number => counts.verdicts.get(verdict)?.late ?? 0;
  const reasons: PeriodReason[] = [
    { verdict: "gap", count: all("gap") },
    { verdict: "dead_letter", count: all("dead_letter") },
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
