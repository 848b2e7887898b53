import type { Queryable } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import {
  addBySubscription,
  findCandidate,
  revisionColumns,
  toRevision,
  type MatchCandidate,
  type Revision,
  type RevisionRow,
} from "../ledger/match-event.ts";
import type { OutboxEvent } from "../ledger/new-deliveries.ts";

/**
 * A cache of all subscriptions with all their revisions: after an outage, or restored by hand, an
 * event may be arbitrarily old. Revision numbers follow the commit order, so `refresh` reads only
 * new ones.
 */
export type SubscriptionSet = {
  /** Catches up with the database; a single indexed query without changes. */
  refresh(db: Queryable): Promise<void>;
  /**
   * Subscriptions that were active with matching filters when the event occurred. Deleted ones get
   * nothing; one that was switched off since still gets its delivery, which is kept until it is
   * switched on again. Does not evaluate conditions.
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

/** All revisions above a known one, in commit order. */
async function readRevisionsAbove(db: Queryable, known: number): Promise<Revision[]> {
  return (
    await preparedRowsOf<RevisionRow>(
      db,
      `SELECT ${revisionColumns} FROM subscription_revisions r WHERE r.revision > ? ORDER BY r.revision`,
      [known],
    )
  ).map(toRevision);
}
