import type { OutboundEvent } from "../../contracts/events.ts";
import { compileFilters } from "../../contracts/filters.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";

/** One state of a subscription: what it asked for from `validFrom` until its next revision. */
type Revision = {
  revision: number;
  validFrom: Date;
  isActive: boolean;
  isOrdered: boolean;
  isDeleted: boolean;
  matches: (event: Matchable) => boolean;
};

type Matchable = Pick<OutboundEvent, "object" | "event" | "eventType">;

/** An event as the relay read it from the outbox. */
export type OutboxEvent = Matchable & {
  eventId: number;
  occurredAt: Date;
  enterpriseId: number;
  key: string;
};

/** A subscription that an event is for. `isActive` is today's state, not the event's. */
export type Match = { subscriptionId: number; isOrdered: boolean; isActive: boolean };

type RevisionRow = {
  revision: number;
  subscription_id: number;
  enterprise_id: number;
  valid_from: Date;
  is_active: boolean;
  is_ordered: boolean;
  is_deleted: boolean;
  filters: string[];
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
   * The subscriptions whose revision in force when the event happened was active and matches.
   * One that was deleted since gets nothing; one that was switched off since still gets its
   * delivery, to be kept until it is switched on again.
   */
  match(event: OutboxEvent): Match[];
};

const toRevision = (row: RevisionRow): Revision => ({
  revision: row.revision,
  validFrom: row.valid_from,
  isActive: row.is_active,
  isOrdered: row.is_ordered,
  isDeleted: row.is_deleted,
  matches: compileFilters(row.filters),
});

const inForceAt = (revisions: readonly Revision[], at: Date): Revision | undefined =>
  revisions.findLast((revision) => revision.validFrom <= at);

type Enterprise = Map<number, Revision[]>;

const matchIn = (enterprise: Enterprise, event: OutboxEvent): Match[] => {
  const found: Match[] = [];
  for (const [subscriptionId, revisions] of enterprise) {
    const then = inForceAt(revisions, event.occurredAt);
    const today = revisions.at(-1);
    if (then?.isActive === true && today?.isDeleted === false && then.matches(event)) {
      found.push({ subscriptionId, isOrdered: today.isOrdered, isActive: today.isActive });
    }
  }
  return found;
};

export const createSubscriptionSet = (): SubscriptionSet => {
  const enterprises = new Map<number, Enterprise>();
  let known = -1;
  const take = (row: RevisionRow): void => {
    const enterprise = enterprises.get(row.enterprise_id) ?? new Map<number, Revision[]>();
    enterprises.set(row.enterprise_id, enterprise);
    const revisions = enterprise.get(row.subscription_id) ?? [];
    revisions.push(toRevision(row));
    enterprise.set(row.subscription_id, revisions);
  };
  return {
    refresh: async (db) => {
      const rows = await rowsOf<RevisionRow>(
        db,
        `SELECT revision, subscription_id, enterprise_id, valid_from, is_active, is_ordered,
           is_deleted, filters
         FROM subscription_revisions WHERE revision > ? ORDER BY revision`,
        [known],
      );
      rows.forEach(take);
      known = rows.at(-1)?.revision ?? known;
    },
    match: (event) => {
      const enterprise = enterprises.get(event.enterpriseId);
      return enterprise === undefined ? [] : matchIn(enterprise, event);
    },
  };
};
