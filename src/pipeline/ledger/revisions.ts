/** The revisions of subscriptions: inserted with every change, never updated. */
import { compileFilters } from "../../contracts/filters.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { compileConditions } from "./conditions.ts";
import { type Revision, findCandidate, type MatchCandidate } from "./match-event.ts";
import type { OutboundEvent } from "../../contracts/events.ts";

type RevisionRow = {
  revision: number;
  subscription_id: number;
  enterprise_id: number;
  valid_from: Date;
  is_active: boolean;
  is_ordered: boolean;
  is_deleted: boolean;
  mode: SubscriptionMode;
  filters: string[];
  conditions: string | null;
  reason: string | null;
  changed_by: number | null;
};

const columnsSql = `
  r.revision, r.subscription_id, r.enterprise_id, r.valid_from, r.is_active, r.is_ordered,
  r.is_deleted, r.mode, r.filters, r.conditions, r.reason, r.changed_by`;

/** Who or what changed a subscription; kept to answer "who switched this off". */
export type RevisionCause = { reason: string | null; changedBy: number | null };

/** An event as read from the outbox. */
export type OutboxEvent = Pick<OutboundEvent, "object" | "event" | "eventType"> & {
  eventRowId: number;
  occurredAt: Date;
  enterpriseId: number;
  key: string;
  /** Its content was removed before the fan-out. */
  isExpunged: boolean;
};

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

/** All revisions of an enterprise's subscriptions, including deleted ones, by subscription. */
export async function readEnterpriseRevisions(
  db: Queryable,
  enterpriseId: number,
): Promise<Map<number, Revision[]>> {
  const rows = await rowsOf<RevisionRow>(
    db,
    `SELECT ${columnsSql}
     FROM subscriptions s JOIN subscription_revisions r ON r.subscription_id = s.id
     WHERE s.enterprise_id = ? ORDER BY r.subscription_id, r.revision`,
    [enterpriseId],
  );
  return addBySubscription(new Map(), rows.map(toRevision));
}

/**
 * Takes the next revision number and locks the counter until the transaction ends, so that numbers
 * and times of revisions follow the commit order without gaps.
 *
 * Lock order for every change of a subscription, against deadlocks: the counter (here), the
 * subscription's row, its health (`lockHealth`), its deliveries.
 */
export async function takeRevision(trx: Trx): Promise<number> {
  const [row] = await rowsOf<{ revision: number }>(
    trx,
    "UPDATE subscription_revision_counter SET revision = revision + 1 RETURNING revision",
  );
  if (row === undefined) {
    throw new Error("The table subscription_revision_counter has lost its row");
  }
  return row.revision;
}

/**
 * Stores the current state of a subscription, as this transaction sees it, under a revision number
 * taken before. The time comes from the database, read after the counter was locked.
 */
export async function recordRevision(
  trx: Trx,
  subscriptionId: number,
  revision: number,
  { reason, changedBy }: RevisionCause,
): Promise<void> {
  await rowsOf(
    trx,
    `WITH raised AS (
       UPDATE subscriptions SET revision = ?, modified_at = clock_timestamp() WHERE id = ?
       RETURNING id, enterprise_id, revision, modified_at, is_active, is_ordered, filters, url,
         deleted_at, mode, conditions
     )
     INSERT INTO subscription_revisions (revision, subscription_id, enterprise_id, valid_from,
       is_active, is_ordered, is_deleted, filters, url, mode, conditions, reason,
       changed_by)
     SELECT revision, id, enterprise_id, modified_at, is_active, is_ordered,
       deleted_at IS NOT NULL, filters, url, mode, conditions, CAST(? AS text), CAST(? AS bigint)
     FROM raised`,
    [revision, subscriptionId, reason, changedBy],
  );
}

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

/** Groups revisions by subscription, in order. */
function addBySubscription(
  bySubscription: Map<number, Revision[]>,
  revisions: readonly Revision[],
): Map<number, Revision[]> {
  for (const revision of revisions) {
    const known = bySubscription.get(revision.subscriptionId) ?? [];
    known.push(revision);
    bySubscription.set(revision.subscriptionId, known);
  }
  return bySubscription;
}

/** All revisions above a known one, in commit order. */
async function readRevisionsAbove(db: Queryable, known: number): Promise<Revision[]> {
  return (
    await rowsOf<RevisionRow>(
      db,
      `SELECT ${columnsSql} FROM subscription_revisions r WHERE r.revision > ? ORDER BY r.revision`,
      [known],
    )
  ).map(toRevision);
}

function toRevision(row: RevisionRow): Revision {
  return {
    revision: row.revision,
    subscriptionId: row.subscription_id,
    enterpriseId: row.enterprise_id,
    validFrom: row.valid_from,
    isActive: row.is_active,
    isOrdered: row.is_ordered,
    isDeleted: row.is_deleted,
    mode: row.mode,
    filters: row.filters,
    conditions: row.conditions,
    reason: row.reason,
    changedBy: row.changed_by,
    passesFilters: lazy(() => compileFilters(row.filters)),
    passesConditions: row.conditions === null ? null : lazyConditions(row.conditions),
  };
}

function lazyConditions(conditions: string): NonNullable<Revision["passesConditions"]> {
  return lazy(() => compileConditions(conditions));
}

/** Memoizes lazily: hardly any old revision is ever evaluated. */
function lazy<Asked>(make: () => (asked: Asked) => boolean): (asked: Asked) => boolean {
  let made: ((asked: Asked) => boolean) | undefined;
  return (asked) => {
    made ??= make();
    return made(asked);
  };
}
