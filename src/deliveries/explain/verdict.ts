/** Why a subscription received an event or not: one finding for each case. Pure. */
import { explainFilters } from "../../contracts/filters.ts";
import { explainConditions, type UnmetCondition } from "../../pipeline/ledger/conditions.ts";
import {
  matchEvent,
  wasChanging,
  wasRedactedEarly,
  type MatchResult,
  type Revision,
} from "../../pipeline/ledger/match-event.ts";
import {
  explainDelivery,
  finding,
  offPeriod,
  type Finding,
  type ExplainContext,
  type SubscriptionCase,
} from "./findings.ts";

/** Explains one subscription, with or without a delivery. */
export function explainSubscription(
  known: ExplainContext,
  { delivery, ...subject }: SubscriptionCase,
): Finding {
  return delivery === undefined
    ? findWithout(known, subject.revisions)
    : explainDelivery(known, { ...subject, delivery });
}

function findWithout(known: ExplainContext, revisions: readonly Revision[]): Finding {
  const assessed = matchEvent(revisions, known.event, known.content);
  const find = casesOf(known, revisions)[assessed.verdict] as (verdicts: MatchResult) => Finding;
  return find(assessed);
}

type Cases = {
  [V in MatchResult["verdict"]]: (assessed: Extract<MatchResult, { verdict: V }>) => Finding;
};

function casesOf(known: ExplainContext, revisions: readonly Revision[]): Cases {
  return {
    created_later: ({ first }) =>
      finding("created_later", "The webhook was created after the event.", {
        since: first.validFrom,
        cause: first,
      }),
    deleted: ({ newest }) =>
      finding(
        "deleted",
        newest.validFrom <= known.event.occurredAt
          ? "The webhook had been deleted before the event."
          : "The webhook was deleted before the event was fanned out.",
        { since: newest.validFrom, cause: newest },
      ),
    off: ({ inForce }) => findOff(revisions, inForce),
    own: () =>
      finding(
        "own",
        "The event is about this webhook itself. A webhook does not receive events about itself.",
      ),
    filters: ({ inForce }) => findFilters(known, revisions, inForce),
    conditions: ({ inForce }) => findConditions(known, revisions, inForce),
    undetermined: ({ inForce }) => findUndetermined(known, revisions, inForce),
    matches: () => findMissing(known, revisions),
  };
}

function findOff(revisions: readonly Revision[], inForce: Revision): Finding {
  const { from, to } = offPeriod(revisions, inForce);
  const why = whyOff(from, from === revisions[0]);
  const text = `The webhook was disabled when the event happened.${why}`;
  return finding("off", text, { since: from.validFrom, until: to?.validFrom ?? null, cause: from });
}

const causeText: Readonly<Record<string, string>> = {
  gone: "its receiver responded with 410 (Gone)",
  failing: "all its attempts had failed for too long",
};

/** Retention deletes old revisions: the oldest one may be a later change of a disabled webhook. */
function whyOff({ reason, changedBy }: Revision, isOldest: boolean): string {
  if (isOldest && reason === "created") {
    return " It had not been enabled yet.";
  }
  const known = reason === null ? undefined : causeText[reason];
  if (known !== undefined) {
    return ` The platform had disabled it, because ${known}.`;
  }
  const isKnown = !isOldest || reason === "switched off";
  return isKnown && changedBy !== null ? " A user had disabled it." : "";
}

function findFilters(
  { event }: ExplainContext,
  revisions: readonly Revision[],
  inForce: Revision,
): Finding {
  const text =
    inForce.filters.length === 0
      ? "The webhook had no filters, so no event matched."
      : "No filter of the webhook matched the event.";
  const filters = explainFilters(inForce.filters, event);
  return finding("filters", text, { ...periodOf(revisions, inForce), filters });
}

function findConditions(
  { content }: ExplainContext,
  revisions: readonly Revision[],
  inForce: Revision,
): Finding {
  const conditions = explainConditions(inForce.conditions ?? "", content.payload());
  const text = `The conditions of the webhook were not met.${describeUnmet(conditions)}`;
  return finding("conditions", text, { ...periodOf(revisions, inForce), conditions });
}

function describeUnmet([unmet]: readonly UnmetCondition[]): string {
  const [first] = unmet?.found ?? [];
  return unmet === undefined || first === undefined
    ? ""
    : ` ${unmet.condition}: ${first.path} was ${first.value ?? "absent"}.`;
}

function findUndetermined(
  known: ExplainContext,
  revisions: readonly Revision[],
  inForce: Revision,
): Finding {
  const text =
    "The filters matched the event. Its content was removed, so the conditions can no longer be checked.";
  return finding("undetermined", text, {
    since: known.event.expungedAt,
    cause: inForce,
    until: periodOf(revisions, inForce).until,
  });
}

/** The period of the revision: a later event is matched against the next one. */
function periodOf(revisions: readonly Revision[], one: Revision) {
  return {
    since: one.validFrom,
    until: revisions[revisions.indexOf(one) + 1]?.validFrom ?? null,
    cause: one,
  };
}

/** The event matches, but there is no delivery. */
function findMissing(known: ExplainContext, revisions: readonly Revision[]): Finding {
  const { event, content, fanOut, keptSince } = known;
  if (fanOut.state === "waiting") {
    const text = "The event is still in the outbox. Its deliveries have not been created yet.";
    return finding("not_fanned_out", text, { since: event.occurredAt });
  }
  if (fanOut.state === "dead_letter") {
    const text = `The event could not be fanned out and is a dead letter: ${fanOut.reason}`;
    return finding("dead_letter", text, { since: fanOut.at });
  }
  if (event.occurredAt < keptSince) {
    const text = "The event matched this webhook. Its delivery is no longer stored.";
    return finding("removed", text, { until: keptSince });
  }
  const isMissing = known.gaps.has(revisions[0]?.subscriptionId ?? 0);
  if (!isMissing && wasRedactedEarly(event)) {
    const text =
      "The event matched this webhook. Its content was removed, perhaps before its deliveries were created.";
    return finding("undetermined", text, { since: event.expungedAt });
  }
  if (!isMissing && wasChanging(revisions, event, content)) {
    const text =
      "The webhook was changed at that time. The event was fanned out with the settings from before the change.";
    return finding("changing", text);
  }
  return findGap();
}

export function findGap(): Finding {
  const text = "The event matched this webhook, but has no delivery. Contact support.";
  return finding("gap", text);
}
