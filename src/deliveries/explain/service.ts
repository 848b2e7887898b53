import { problem } from "../../contracts/problems.ts";
import {
  exactObject,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
} from "../../http/schema.ts";
import { lazyContent, type Revision } from "../../pipeline/ledger/match-event.ts";
import {
  type EventDelivery,
  type FanOutState,
  listEventDeliveries,
  listSubscriptionsNow,
  readFanOut,
  readKeptSince,
  type SubscriptionNow,
} from "../../pipeline/ledger/queries/event-deliveries.ts";
import {
  type EventLookup,
  findEvent,
  listEventsAround,
  type PastEvent,
  readBodies,
} from "../../pipeline/ledger/queries/events.ts";
import { findSequenceGaps } from "../../pipeline/ledger/queries/reconciliation.ts";
import { readEnterpriseRevisions } from "../../pipeline/ledger/revisions.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Queryable, Trx } from "../../platform/db/pool.ts";
import { inSnapshot } from "../../platform/db/transaction.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { type ExplainContext, type Finding, verdicts } from "./findings.ts";
import { explainSubscription } from "./verdict.ts";

/** Selects an event by its id, or by its object and time. */
export type EventQuestion = { eventId: string } | EventLookup;

/** What happened to the event at one subscription. */
export type SubscriptionExplanation = Finding & {
  subscription: SubscriptionNow;
  isDeleted: boolean;
  /**
   * The login of the user who made the revision; null if the platform made it, or the user is
   * unknown.
   */
  changedBy: string | null;
  delivery: EventDelivery | null;
  replays: readonly EventDelivery[];
};

export type Explanation = {
  event: PastEvent;
  fanOut: FanOutState;
  /** All events that match a lookup by object, nearest first. */
  candidates: readonly PastEvent[];
  subscriptions: readonly SubscriptionExplanation[];
};

/** Logins by user id, deleted users included. Unknown ids are left out. */
export type FindLogins = (
  db: Queryable,
  enterpriseId: number,
  userIds: readonly number[],
) => Promise<ReadonlyMap<number, string>>;

export type ExplainDeps = {
  db: Db;
  clock: Clock;
  findLogins: FindLogins;
  /** Default retention for enterprises without their own. */
  retentionDays: number;
};

/** Throws `not_found` if the enterprise does not have the event, or no longer has it. */
export type Explain = (enterpriseId: number, question: EventQuestion) => Promise<Explanation>;

export function createExplain(deps: ExplainDeps): Explain {
  return async (enterpriseId, question) =>
    inSnapshot(deps.db, async (trx) => {
      const { event, candidates } = await findEvents(trx, enterpriseId, question);
      const revisions = await readEnterpriseRevisions(trx, enterpriseId);
      const subscriptions = await listSubscriptionsNow(trx, enterpriseId);
      const deliveries = await listEventDeliveries(trx, enterpriseId, event.id);
      const known = {
        ...(await readContext(deps, trx, enterpriseId, event)),
        gaps: await readGaps(trx, event, subscriptions, deliveries),
      };
      const found = explainAll(known, subscriptions, revisions, deliveries);
      const logins = await readLogins(deps, trx, enterpriseId, found);
      const explanations = found.map((one) => ({
        ...one,
        changedBy: logins.get(one.cause?.changedBy ?? 0) ?? null,
      }));
      return { event, candidates, fanOut: known.fanOut, subscriptions: explanations };
    });
}

async function findEvents(
  db: Queryable,
  enterpriseId: number,
  question: EventQuestion,
): Promise<{ event: PastEvent; candidates: PastEvent[] }> {
  if ("eventId" in question) {
    const event = await findEvent(db, enterpriseId, question.eventId);
    if (event === undefined) {
      throw problem("not_found", `Event ${question.eventId} was not found.`);
    }
    return { event, candidates: [event] };
  }
  const candidates = await listEventsAround(db, enterpriseId, question);
  const [event] = candidates;
  if (event === undefined) {
    const { object, objectId, at } = question;
    const detail = `No event of ${object} ${objectId} was found within five minutes of ${toTimestamp(at)}.`;
    throw problem("not_found", detail);
  }
  return { event, candidates };
}

/** Runs inside the snapshot, while the relay and the workers continue. */
async function readContext(
  { clock, retentionDays }: ExplainDeps,
  trx: Trx,
  enterpriseId: number,
  event: PastEvent,
): Promise<Omit<ExplainContext, "gaps">> {
  const bodies = await readBodies(trx, [event]);
  const now = clock.now();
  return {
    event,
    content: lazyContent(bodies.get(event.id) ?? null),
    fanOut: await readFanOut(trx, event),
    keptSince: await readKeptSince(trx, enterpriseId, { now, defaultDays: retentionDays }),
    now,
  };
}

async function readGaps(
  trx: Trx,
  event: PastEvent,
  subscriptions: readonly SubscriptionNow[],
  deliveries: readonly EventDelivery[],
): Promise<ReadonlySet<number>> {
  const served = new Set(
    deliveries.filter((one) => one.replayId === null).map((one) => one.subscriptionId),
  );
  const pairs = subscriptions
    .filter(({ id }) => !served.has(id))
    .map(({ id }) => ({ eventRowId: event.id, subscriptionId: id }));
  return new Set((await findSequenceGaps(trx, pairs)).map((pair) => pair.subscriptionId));
}

function explainAll(
  known: ExplainContext,
  subscriptions: readonly SubscriptionNow[],
  revisions: ReadonlyMap<number, readonly Revision[]>,
  deliveries: readonly EventDelivery[],
): Omit<SubscriptionExplanation, "changedBy">[] {
  return subscriptions.flatMap((subscription) => {
    const own = revisions.get(subscription.id);
    if (own === undefined) {
      return [];
    }
    const mine = deliveries.filter((one) => one.subscriptionId === subscription.id);
    const delivery = mine.find((one) => one.replayId === null);
    return [
      {
        ...explainSubscription(known, { subscription, revisions: own, delivery }),
        subscription,
        isDeleted: own.at(-1)?.isDeleted === true,
        delivery: delivery ?? null,
        replays: mine.filter((one) => one.replayId !== null),
      },
    ];
  });
}

async function readLogins(
  deps: ExplainDeps,
  trx: Trx,
  enterpriseId: number,
  findings: readonly Finding[],
): Promise<ReadonlyMap<number, string>> {
  const ids = findings.flatMap(({ cause }) =>
    cause === null || cause.changedBy === null ? [] : [cause.changedBy],
  );
  return ids.length === 0 ? new Map() : deps.findLogins(trx, enterpriseId, [...new Set(ids)]);
}

/** The members of `presentFinding`. */
export const findingMembers = {
  verdict: { type: "string", enum: verdicts },
  text,
  since: nullableTimestamp,
  until: nullableTimestamp,
  reason: nullableText,
  changed_by: nullableText,
  changed_by_id: nullableInteger,
};

/** Why filters and conditions did not match. */
export const mismatchMembers = {
  filters: {
    type: "array",
    items: exactObject("FilterMismatch", { filter: text, mismatch: text }),
  },
  conditions: {
    type: "array",
    items: exactObject("UnmetCondition", {
      condition: text,
      found: {
        type: "array",
        items: exactObject("FoundValue", { path: text, value: nullableText }),
      },
    }),
  },
};

/** `changedBy` is the login of the user who made the change that caused it. */
export function presentFinding(found: Finding, changedBy: string | null) {
  return {
    verdict: found.verdict,
    text: found.text,
    since: toTimestampOrNull(found.since),
    until: toTimestampOrNull(found.until),
    reason: found.cause?.reason ?? null,
    changed_by: changedBy,
    changed_by_id: found.cause?.changedBy ?? null,
  };
}
