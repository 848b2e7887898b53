/**
 * Proves that no delivery is missing. In: a period of an enterprise. Out: every pair of an event
 * and a matching subscription that has no delivery.
 * Guarantee: each page is one snapshot, so a running relay causes no false gap. Read only.
 */
import type { Db, Trx } from "../../platform/db/pool.ts";
import { inSnapshot } from "../../platform/db/transaction.ts";
import { readEnterpriseRevisions } from "../../pipeline/ledger/revisions.ts";
import {
  findCandidate,
  matchConditions,
  lazyContent,
  wasChanging,
  wasRedactedEarly,
  type MatchCandidate,
  type EventContent,
  type Revision,
} from "../../pipeline/ledger/match-event.ts";
import { readBodies, type PastEvent } from "../../pipeline/ledger/queries/events.ts";
import { createPace, type QueryPace } from "../../platform/concurrency/pace.ts";
import {
  findSequenceGaps,
  listEvents,
  pairKey,
  readEventCoverage,
  type EventCoverage,
} from "../../pipeline/ledger/queries/reconciliation.ts";

export type ReconcilePeriod = { since: Date; until: Date; afterId: number };

export type DeliveryGap = {
  event: PastEvent;
  subscriptionId: number;
  /** `dead_letter`: the event is a dead letter; `outbox_dead` has the reason. */
  reason: "no_delivery" | "dead_letter";
};

export type ReconcileCounts = {
  events: number;
  /** Pairs of an event and a matching subscription; each is in one of the next three counts. */
  expected: number;
  found: number;
  waiting: number;
  gaps: DeliveryGap[];
  /** Pairs for which it is unknown whether they match. */
  undetermined: number;
  /** The id after which to continue; null at the end of the period. */
  next: number | null;
};

/** A page with this many gaps ends early, to keep the answer readable. */
const maxGaps = 1_000;

type RevisionsById = ReadonlyMap<number, readonly Revision[]>;

type ExpectedDelivery = {
  event: PastEvent;
  revisions: readonly Revision[];
  candidate: MatchCandidate;
};

const pageSize = 20_000;

const batchSize = 2_000;

/** A page ends early if evaluating conditions takes longer. */
const maxMs = 5_000;

/**
 * Compares at most 20,000 events of the period with their deliveries; fewer if conditions are slow.
 */
export async function reconcile(
  db: Db,
  enterpriseId: number,
  period: ReconcilePeriod,
  budgetMs = maxMs,
): Promise<ReconcileCounts> {
  return inSnapshot(db, async (trx) => {
    const revisions = await readEnterpriseRevisions(trx, enterpriseId);
    const pace = createPace(budgetMs);
    const counts: ReconcileCounts = {
      events: 0,
      expected: 0,
      found: 0,
      waiting: 0,
      gaps: [],
      undetermined: 0,
      next: period.afterId,
    };
    while (counts.next !== null) {
      const range = { ...period, afterId: counts.next, limit: batchSize };
      const events = await listEvents(trx, enterpriseId, range);
      await reconcileBatch(trx, { enterpriseId, revisions, pace }, events, counts);
      const isWhole = counts.next === (events.at(-1)?.id ?? counts.next);
      if (isWhole && events.length < batchSize) {
        counts.next = null;
      }
      if (pace.isOver() || counts.events >= pageSize || counts.gaps.length >= maxGaps) {
        break;
      }
    }
    return counts;
  });
}

/** Bodies are read in small batches: thousands of the largest would not fit into memory. */
const partSize = 50;

/** Counts events until the time is over or there are too many gaps, but at least some. */
async function reconcileBatch(
  trx: Trx,
  {
    enterpriseId,
    revisions,
    pace,
  }: { enterpriseId: number; revisions: RevisionsById; pace: QueryPace },
  events: readonly PastEvent[],
  counts: ReconcileCounts,
): Promise<void> {
  const ledger = await readEventCoverage(
    trx,
    enterpriseId,
    events.map(({ id }) => id),
  );
  const isEnough = (): boolean => pace.isOver() || counts.gaps.length >= maxGaps;
  for (let from = 0; from < events.length && (from === 0 || !isEnough()); from += partSize) {
    const part = events.slice(from, from + partSize);
    const expected = findExpected(part, revisions);
    const contentOf = await readContents(trx, expected);
    const uncertain: DeliveryGap[] = [];
    for (const pair of expected) {
      const gap = countExpected(counts, pair, ledger, contentOf(pair.event));
      if (gap !== undefined) {
        uncertain.push(gap);
      }
      await pace.yieldToEventLoop();
    }
    await resolveUncertain(trx, uncertain, counts);
    counts.events += part.length;
    counts.next = part.at(-1)?.id ?? counts.next;
  }
}

function findExpected(events: readonly PastEvent[], all: RevisionsById): ExpectedDelivery[] {
  return events.flatMap((event) =>
    [...all.values()].flatMap((revisions) => {
      const candidate = findCandidate(revisions, event);
      return candidate === undefined ? [] : [{ event, revisions, candidate }];
    }),
  );
}

/** Bodies, read only for subscriptions with conditions. */
async function readContents(
  trx: Trx,
  expected: readonly ExpectedDelivery[],
): Promise<(event: PastEvent) => EventContent> {
  const eventsWithConditions = new Map(
    expected
      .filter(({ candidate }) => candidate.inForce.conditions !== null)
      .map(({ event }) => [event.id, event]),
  );
  const bodies =
    eventsWithConditions.size === 0
      ? new Map()
      : await readBodies(trx, [...eventsWithConditions.values()]);
  const contents = new Map<number, EventContent>();
  return ({ id }) => {
    const content = contents.get(id) ?? lazyContent(bodies.get(id) ?? null);
    contents.set(id, content);
    return content;
  };
}

/**
 * Counts a pair. Returns it if it has no delivery and may have had none: the webhook was being changed
 * at that time, or the content was removed, perhaps before the event was fanned out.
 */
function countExpected(
  counts: ReconcileCounts,
  { event, revisions, candidate }: ExpectedDelivery,
  ledger: EventCoverage,
  content: EventContent,
): DeliveryGap | undefined {
  const { verdict, newest } = matchConditions(candidate, content);
  const isFound = ledger.deliveries.has(pairKey(event.id, newest.subscriptionId));
  if (verdict === "undetermined" && !isFound) {
    counts.undetermined += 1;
    return undefined;
  }
  if (verdict === "conditions") {
    return undefined;
  }
  const isThere = isFound || ledger.waiting.has(event.id);
  const { subscriptionId } = newest;
  const gap = { event, subscriptionId, reason: gapReason(ledger, event) };
  if (!isThere && (wasRedactedEarly(event) || wasChanging(revisions, event, content))) {
    return gap;
  }
  counts.expected += 1;
  if (isFound) {
    counts.found += 1;
  } else if (isThere) {
    counts.waiting += 1;
  } else {
    counts.gaps.push(gap);
  }
  return undefined;
}

function gapReason({ deadLettered }: EventCoverage, { id }: PastEvent): DeliveryGap["reason"] {
  return deadLettered.has(id) ? "dead_letter" : "no_delivery";
}

/**
 * The relay may have matched these pairs with the settings from before a change, or never have seen their
 * event. A gap in the sequences proves that a delivery existed.
 */
async function resolveUncertain(
  trx: Trx,
  uncertain: readonly DeliveryGap[],
  counts: ReconcileCounts,
): Promise<void> {
  if (uncertain.length === 0) {
    return;
  }
  const pairs = uncertain.map(({ event, subscriptionId }) => ({
    eventRowId: event.id,
    subscriptionId,
  }));
  const sequenceGaps = new Set(
    (await findSequenceGaps(trx, pairs)).map((pair) =>
      pairKey(pair.eventRowId, pair.subscriptionId),
    ),
  );
  const lost = uncertain.filter((one) =>
    sequenceGaps.has(pairKey(one.event.id, one.subscriptionId)),
  );
  counts.gaps.push(...lost);
  counts.expected += lost.length;
  counts.undetermined += uncertain.length - lost.length;
}
