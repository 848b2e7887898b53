/**
 * The proof that nothing got lost. In: a period of an enterprise. Out: every pair of an event and a
 * subscription that it was for, by the rule of the ledger, which has no delivery. Guarantee: all of
 * a page is read in one snapshot, so a relay at work makes no false gap. Read only.
 */
import { createBreath } from "../../platform/breath.ts";
import { inTransaction, type Db, type Trx } from "../../platform/db/pool.ts";
import {
  findCandidate,
  judgeConditions,
  openContent,
  readEnterpriseRevisions,
  wasBeingChanged,
  type Candidate,
  type Content,
  type Revision,
} from "../../pipeline/ledger/revisions.ts";
import { readBodies, type PastEvent } from "../explain/events.ts";
import { findHoles } from "./holes.ts";
import { listEvents, pairOf, readLedger, type Ledger } from "./store.ts";

export type Period = { since: Date; until: Date; afterId: number };

export type Gap = {
  event: PastEvent;
  subscriptionId: number;
  /** `set_aside`: the relay could not fan it out; the reason is in `outbox_dead`. */
  reason: "no_delivery" | "set_aside";
};

export type Reckoning = {
  events: number;
  /** Pairs of an event and a subscription that it was for; each is in one of the next three. */
  expected: number;
  found: number;
  waiting: number;
  gaps: Gap[];
  /** Pairs of which nobody can say any more, or with equal right, whether they were for each other. */
  unjudged: number;
  /** The id to go on after; null at the end of the period. */
  next: number | null;
};

/** A page ends early where it has this many gaps, so that an answer stays readable. */
const mostGaps = 1_000;

type Revisions = ReadonlyMap<number, readonly Revision[]>;

type Suspect = { event: PastEvent; revisions: readonly Revision[]; candidate: Candidate };

type Pace = { breathe: () => Promise<void>; isOver: () => boolean };

const pageSize = 20_000;

const batchSize = 2_000;

/** A page ends early where conditions take longer than this. */
const mostMs = 5_000;

/**
 * Compares at most 20,000 events of the period, those after an id, with the deliveries; fewer where
 * conditions make it slow.
 */
export async function reconcile(
  db: Db,
  enterpriseId: number,
  period: Period,
  budgetMs = mostMs,
): Promise<Reckoning> {
  return inTransaction(db, async (trx) => {
    await trx.raw("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const revisions = await readEnterpriseRevisions(trx, enterpriseId);
    const pace = createPace(budgetMs);
    const reckoning: Reckoning = {
      events: 0,
      expected: 0,
      found: 0,
      waiting: 0,
      gaps: [],
      unjudged: 0,
      next: period.afterId,
    };
    while (reckoning.next !== null) {
      const range = { ...period, afterId: reckoning.next, limit: batchSize };
      const events = await listEvents(trx, enterpriseId, range);
      await reckonBatch(trx, { enterpriseId, revisions, pace }, events, reckoning);
      const isWhole = reckoning.next === (events.at(-1)?.id ?? reckoning.next);
      if (isWhole && events.length < batchSize) {
        reckoning.next = null;
      }
      if (pace.isOver() || reckoning.events >= pageSize || reckoning.gaps.length >= mostGaps) {
        break;
      }
    }
    return reckoning;
  });
}

function createPace(budgetMs: number): Pace {
  const endsAt = performance.now() + budgetMs;
  return { breathe: createBreath(), isOver: () => performance.now() >= endsAt };
}

/** Bodies come in small parts: thousands of the largest ones would not fit into memory. */
const partSize = 50;

/** Counts events, whole ones and at least some, until the time is over or the gaps are too many. */
async function reckonBatch(
  trx: Trx,
  { enterpriseId, revisions, pace }: { enterpriseId: number; revisions: Revisions; pace: Pace },
  events: readonly PastEvent[],
  reckoning: Reckoning,
): Promise<void> {
  const ledger = await readLedger(
    trx,
    enterpriseId,
    events.map(({ id }) => id),
  );
  const isEnough = (): boolean => pace.isOver() || reckoning.gaps.length >= mostGaps;
  for (let from = 0; from < events.length && (from === 0 || !isEnough()); from += partSize) {
    const part = events.slice(from, from + partSize);
    const suspects = findSuspects(part, revisions);
    const contentOf = await readContents(trx, suspects);
    const doubts: Gap[] = [];
    for (const suspect of suspects) {
      const doubt = count(reckoning, suspect, ledger, contentOf(suspect.event));
      if (doubt !== undefined) {
        doubts.push(doubt);
      }
      await pace.breathe();
    }
    await settleDoubts(trx, doubts, reckoning);
    reckoning.events += part.length;
    reckoning.next = part.at(-1)?.id ?? reckoning.next;
  }
}

function findSuspects(events: readonly PastEvent[], all: Revisions): Suspect[] {
  return events.flatMap((event) =>
    [...all.values()].flatMap((revisions) => {
      const candidate = findCandidate(revisions, event);
      return candidate === undefined ? [] : [{ event, revisions, candidate }];
    }),
  );
}

/** Contents, read only for what has conditions. */
async function readContents(
  trx: Trx,
  suspects: readonly Suspect[],
): Promise<(event: PastEvent) => Content> {
  const asking = new Map(
    suspects
      .filter(({ candidate }) => candidate.inForce.conditions !== null)
      .map(({ event }) => [event.id, event]),
  );
  const bodies = asking.size === 0 ? new Map() : await readBodies(trx, [...asking.values()]);
  const contents = new Map<number, Content>();
  return ({ id }) => {
    const content = contents.get(id) ?? openContent(bodies.get(id) ?? null);
    contents.set(id, content);
    return content;
  };
}

/** Counts a pair; answers it where the webhook was just being changed, and nothing is there. */
function count(
  reckoning: Reckoning,
  { event, revisions, candidate }: Suspect,
  ledger: Ledger,
  content: Content,
): Gap | undefined {
  const { verdict, today } = judgeConditions(candidate, content);
  const isFound = ledger.deliveries.has(pairOf(event.id, today.subscriptionId));
  if (verdict === "unjudged" && !isFound) {
    reckoning.unjudged += 1;
    return undefined;
  }
  if (verdict === "conditions") {
    return undefined;
  }
  const isThere = isFound || ledger.waiting.has(event.id);
  const { subscriptionId } = today;
  const gap = { event, subscriptionId, reason: gapReason(ledger, event) };
  if (!isThere && wasBeingChanged(revisions, event, content)) {
    return gap;
  }
  reckoning.expected += 1;
  if (isFound) {
    reckoning.found += 1;
  } else if (isThere) {
    reckoning.waiting += 1;
  } else {
    reckoning.gaps.push(gap);
  }
  return undefined;
}

function gapReason({ setAside }: Ledger, { id }: PastEvent): Gap["reason"] {
  return setAside.has(id) ? "set_aside" : "no_delivery";
}

/**
 * Pairs of which the relay may have judged by the settings before a change. Where a sequence is
 * missing at their place, there was a delivery: a gap.
 */
async function settleDoubts(trx: Trx, doubts: readonly Gap[], reckoning: Reckoning): Promise<void> {
  if (doubts.length === 0) {
    return;
  }
  const pairs = doubts.map(({ event, subscriptionId }) => ({ eventId: event.id, subscriptionId }));
  const holes = new Set(
    (await findHoles(trx, pairs)).map((pair) => pairOf(pair.eventId, pair.subscriptionId)),
  );
  const lost = doubts.filter((one) => holes.has(pairOf(one.event.id, one.subscriptionId)));
  reckoning.gaps.push(...lost);
  reckoning.expected += lost.length;
  reckoning.unjudged += doubts.length - lost.length;
}
