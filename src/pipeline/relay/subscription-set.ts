import type { OutboundEvent } from "../../contracts/events.ts";
import type { Queryable } from "../../platform/db/pool.ts";
import { addBySubscription, readRevisionsAbove } from "../ledger/revisions.ts";
import { findCandidate, type MatchCandidate, type Revision } from "../ledger/match-event.ts";

/** An event as the relay read it from the outbox. */
export type OutboxEvent = Pick<OutboundEvent, "object" | "event" | "eventType"> & {
  eventRowId: number;
  occurredAt: Date;
  enterpriseId: number;
  key: string;
  /** Its content was removed before anybody got it. */
  isExpunged: boolean;
};

/**
 * The subscriptions of every enterprise, with all their revisions, kept in memory: an event may
 * be older than any bound one would think of, after an outage or put back by hand. Revisions are
 * numbered in the order of their commits, so `refresh` reads only what is new.
 */
export type SubscriptionSet = {
  /** Catches up with the database. One indexed read when nothing changed. */
  refresh(db: Queryable): Promise<void>;
  /**
   * The subscriptions whose revision in force when the event happened was active and whose filters
   * match. One that was deleted since gets nothing; one that was switched off since still gets its
   * delivery, to be kept until it is switched on again. Conditions are not evaluated.
   */
  match(event: OutboxEvent): MatchCandidate[];
};

export function createSubscriptionSet(): SubscriptionSet {
  const enterprises = new Map<number, Map<number, Revision[]>>();
  let known = -1;
  const take = (revision: Revision): void => {
    const enterprise = enterprises.get(revision.enterpriseId) ?? new Map<number, Revision[]>();
    enterprises.set(revision.enterpriseId, addBySubscription(enterprise, [revision]));
  };
  return {
    refresh: async (db) => {
      const revisions = await readRevisionsAbove(db, known);
      revisions.forEach(take);
      known = revisions.at(-1)?.revision ?? known;
    },
    match: (event) => {
      const found: MatchCandidate[] = [];
      for (const revisions of enterprises.get(event.enterpriseId)?.values() ?? []) {
        const candidate = findCandidate(revisions, event);
        if (candidate !== undefined) {
          found.push(candidate);
        }
      }
      return found;
    },
  };
}
