/**
 * The verdict about many events at one subscription. In: a page of events. Out: for each of them
 * the verdict that the explanation of this one event gives.
 * Guarantee: a fixed number of statements for each page; bodies are read only if conditions need them.
 */
import type { Trx } from "../../platform/db/pool.ts";
import {
  findCandidate,
  lazyContent,
  matchEvent,
  revisionAt,
  type EventContent,
  type Revision,
} from "../../pipeline/ledger/match-event.ts";
import {
  listSubscriptionDeliveries,
  readFanOuts,
  type EventDelivery,
  type FanOutState,
} from "../../pipeline/ledger/queries/event-deliveries.ts";
import { readBodies, type PastEvent } from "../../pipeline/ledger/queries/events.ts";
import { findSequenceGaps } from "../../pipeline/ledger/queries/reconciliation.ts";
import type { SubscriptionStatus } from "../../pipeline/ledger/queries/subscription-period.ts";
import type { QueryPace } from "../../platform/concurrency/pace.ts";
import type { ExplainVerdict, Finding } from "./findings.ts";
import { explainSubscription, findGap } from "./verdict.ts";

/** The subscription in question, as one snapshot of the database shows it. */
export type PeriodSubject = {
  enterpriseId: number;
  subscription: SubscriptionStatus;
  /** Oldest first, at least one. */
  revisions: readonly Revision[];
  keptSince: Date;
  now: Date;
};

export type AssessedEvent = {
  event: PastEvent;
  delivery: EventDelivery | undefined;
  /** The settings that applied; undefined if the subscription did not exist yet. */
  inForce: Revision | undefined;
  verdict: ExplainVerdict;
  /**
   * Of the first event with this verdict, as describing conditions is expensive; of each event whose
   * verdict is uncertain.
   */
  example: Finding | undefined;
};

/** How a walk over many pages proceeds. */
export type AssessState = {
  pace: QueryPace;
  /** Verdicts that have an example. */
  shown: Set<ExplainVerdict>;
};

/** For events without a delivery. */
type MissingContext = {
  fanOutOf: (eventRowId: number) => FanOutState;
  contentOf: (event: PastEvent) => EventContent;
};

/** Bodies are read in small batches: thousands of the largest would not fit into memory. */
const partSize = 50;

/** The verdict about each event of the page, in the same order. */
export async function assessEvents(
  trx: Trx,
  subject: PeriodSubject,
  events: readonly PastEvent[],
  state: AssessState,
): Promise<AssessedEvent[]> {
  const { enterpriseId, subscription, revisions } = subject;
  const deliveries = await listSubscriptionDeliveries(trx, {
    ...{ enterpriseId, subscriptionId: subscription.id },
    eventRowIds: events.map(({ id }) => id),
  });
  const isMissing = (event: PastEvent): boolean =>
    !deliveries.has(event.id) && findCandidate(revisions, event) !== undefined;
  const fanOutOf = await readFanOutsOf(trx, events.filter(isMissing));
  const assessed: AssessedEvent[] = [];
  for (let from = 0; from < events.length; from += partSize) {
    const part = events.slice(from, from + partSize);
    const contentOf = await readContents(trx, revisions, part.filter(isMissing));
    for (const event of part) {
      const found = { event, delivery: deliveries.get(event.id) };
      assessed.push(assessEvent(subject, found, { fanOutOf, contentOf, shown: state.shown }));
      await state.pace.yieldToEventLoop();
    }
  }
  return resolveGaps(trx, subject, assessed);
}

async function readFanOutsOf(
  trx: Trx,
  events: readonly PastEvent[],
): Promise<MissingContext["fanOutOf"]> {
  return events.length === 0
    ? () => ({ state: "fanned_out" })
    : readFanOuts(
        trx,
        events.map(({ id }) => id),
      );
}

async function readContents(
  trx: Trx,
  revisions: readonly Revision[],
  events: readonly PastEvent[],
): Promise<MissingContext["contentOf"]> {
  const hasConditions = revisions.some(({ conditions }) => conditions !== null);
  const bodies =
    hasConditions && events.length > 0 ? await readBodies(trx, events) : new Map<number, string>();
  const contents = new Map(events.map(({ id }) => [id, lazyContent(bodies.get(id) ?? null)]));
  return ({ id }) => contents.get(id) ?? lazyContent(null);
}

function assessEvent(
  { subscription, revisions, keptSince, now }: PeriodSubject,
  { event, delivery }: Pick<AssessedEvent, "event" | "delivery">,
  { fanOutOf, contentOf, shown }: MissingContext & Pick<AssessState, "shown">,
): AssessedEvent {
  const content = contentOf(event);
  const fanOut = fanOutOf(event.id);
  const explain = (): Finding =>
    explainSubscription(
      { event, content, fanOut, keptSince, gaps: new Set(), now },
      { subscription, revisions, delivery },
    );
  const match = matchEvent(revisions, event, content);
  const verdict =
    delivery === undefined && match.verdict !== "matches" ? match.verdict : explain().verdict;
  const assessed = { event, delivery, inForce: revisionAt(revisions, event.occurredAt), verdict };
  // An uncertain one may turn out to be a gap, and is no example then.
  const isFinal = !isUncertain(assessed);
  const example = isFinal && shown.has(verdict) ? undefined : explain();
  if (isFinal) {
    shown.add(verdict);
  }
  return { ...assessed, example };
}

/**
 * Whether only a gap in the sequences would prove that there was a delivery: the settings were changing, or
 * the content was removed, perhaps before the deliveries were created.
 */
function isUncertain({ verdict, inForce }: Pick<AssessedEvent, "verdict" | "inForce">): boolean {
  return verdict === "changing" || (verdict === "undetermined" && inForce?.conditions === null);
}

async function resolveGaps(
  trx: Trx,
  { subscription: { id: subscriptionId } }: PeriodSubject,
  assessed: AssessedEvent[],
): Promise<AssessedEvent[]> {
  const uncertain = assessed.filter(isUncertain);
  if (uncertain.length === 0) {
    return assessed;
  }
  const pairs = uncertain.map(({ event }) => ({ eventRowId: event.id, subscriptionId }));
  const gaps = new Set((await findSequenceGaps(trx, pairs)).map(({ eventRowId }) => eventRowId));
  return assessed.map((one) =>
    gaps.has(one.event.id) ? { ...one, verdict: "gap", example: findGap() } : one,
  );
}
