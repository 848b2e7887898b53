import { rowsOf, type Trx } from "../../platform/db/pool.ts";

/** Who or what changed a subscription: kept with the revision, to answer "who switched this off". */
export type RevisionCause = { reason: string | null; changedBy: number | null };

/**
 * Takes the next revision number and keeps its lock until the transaction ends, so that numbers
 * and times of revisions stand in the order of their commits, without a gap.
 *
 * Whoever changes a subscription takes locks in this order, or two of them may wait for each
 * other: the counter (here), the subscription's row, its health (`lockHealth`), its deliveries.
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
 * Gives a subscription, as it stands now in this transaction, the revision taken before, and keeps
 * what it asks for from now on. The time is the database's, read after the counter was locked.
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
