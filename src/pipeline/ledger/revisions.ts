/** The revisions of subscriptions: inserted with every change, never updated. */
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import {
  addBySubscription,
  revisionColumns,
  toRevision,
  type Revision,
  type RevisionRow,
} from "./match-event.ts";

/** Who or what changed a subscription; kept to answer "who switched this off". */
export type RevisionCause = { reason: string | null; changedBy: number | null };

/** All revisions of an enterprise's subscriptions, including deleted ones, by subscription. */
export async function readEnterpriseRevisions(
  db: Queryable,
  enterpriseId: number,
): Promise<Map<number, Revision[]>> {
  const rows = await rowsOf<RevisionRow>(
    db,
    `SELECT ${revisionColumns}
     FROM subscriptions s JOIN subscription_revisions r ON r.subscription_id = s.id
     WHERE s.enterprise_id = ? ORDER BY r.subscription_id, r.revision`,
    [enterpriseId],
  );
  return addBySubscription(new Map(), rows.map(toRevision));
}

/** All revisions of a subscription of the enterprise, oldest first. */
export async function readRevisions(
  db: Queryable,
  enterpriseId: number,
  subscriptionId: number,
): Promise<Revision[]> {
  const rows = await rowsOf<RevisionRow>(
    db,
    `SELECT ${revisionColumns} FROM subscription_revisions r
     WHERE r.enterprise_id = ? AND r.subscription_id = ? ORDER BY r.revision`,
    [enterpriseId, subscriptionId],
  );
  return rows.map(toRevision);
}

/** The newest revisions of each subscription, at most `maxEach`, in commit order. */
export async function readNewestRevisions(db: Queryable, maxEach: number): Promise<Revision[]> {
  const rows = await preparedRowsOf<RevisionRow>(
    db,
    `SELECT ${revisionColumns} FROM (
       SELECT r.*, row_number() OVER (
         PARTITION BY enterprise_id, subscription_id ORDER BY revision DESC) AS place
       FROM subscription_revisions r) AS r
     WHERE r.place <= ? ORDER BY r.revision`,
    [maxEach],
  );
  return rows.map(toRevision);
}

/** Some subscriptions with their enterprises, and a time from the first to the last of some events. */
export type RevisionRange = {
  subscriptions: readonly Pick<Revision, "enterpriseId" | "subscriptionId">[];
  first: Date;
  last: Date;
};

/**
 * The revisions that were in force at any moment of that time, by subscription. To the millisecond, as
 * `revisionAt` compares times: with the microseconds of Postgres an event could miss its revision.
 */
export async function readRevisionsWithin(
  db: Queryable,
  { subscriptions, first, last }: RevisionRange,
): Promise<Map<number, Revision[]>> {
  const rows = await preparedRowsOf<RevisionRow>(
    db,
    `SELECT ${revisionColumns}
     FROM unnest(?::bigint[], ?::bigint[]) AS asked(enterprise_id, id) CROSS JOIN LATERAL (
       SELECT coalesce(max(revision), 0) AS revision FROM (
         SELECT revision FROM subscription_revisions
         WHERE subscription_id = asked.id AND enterprise_id = asked.enterprise_id
           AND date_trunc('milliseconds', valid_from) <= ?
         ORDER BY revision DESC LIMIT 1) AS newest) AS begun
     JOIN subscription_revisions r ON r.subscription_id = asked.id
       AND r.enterprise_id = asked.enterprise_id AND r.revision >= begun.revision
     WHERE date_trunc('milliseconds', r.valid_from) <= ? ORDER BY r.revision`,
    [
      subscriptions.map(({ enterpriseId }) => enterpriseId),
      subscriptions.map(({ subscriptionId }) => subscriptionId),
      first,
      last,
    ],
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
