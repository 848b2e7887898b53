/**
 * Results whose statement was committed although its answer was lost: they are stored, and nobody
 * knows what they let go.
 */
import { namedRowsOf, type Trx } from "../../platform/db/pool.ts";
import { lowerEarliestDueSql } from "./earliest-due.ts";
import type { Settlement } from "./record-results.ts";
import { inFlightStatesSql, requeueSetSql } from "./state-sql.ts";

/** A result that the ledger has accepted: its delivery, and the generation of its claim. */
export type StoredResult = { id: number; generation: number };

/**
 * An attempt row of a result proves that the transaction of its batch was committed. What that
 * transaction enqueued or claimed is in flight and was written last by the same one (`xmin`), so its
 * job does not exist, and no worker has it. Both of these states lead back to the same one. The attempt
 * rows then belong to this transaction.
 */
const recoverSql = `
  WITH stored AS MATERIALIZED (
    SELECT r.delivery_id AS id, r.generation, a.started_at, a.xmin AS transaction
    FROM json_to_recordset(CAST(:results AS json)) AS r(delivery_id bigint, generation integer,
      started_at timestamptz)
    JOIN attempts a ON a.delivery_id = r.delivery_id AND a.started_at = r.started_at
    WHERE a.is_counted AND a.started_at BETWEEN :first AND :last
  ), lost AS MATERIALIZED (
    SELECT d.id, d.enterprise_id FROM deliveries d
    WHERE d.subscription_id = ANY(CAST(:subscriptions AS bigint[]))
      AND d.state IN ${inFlightStatesSql} AND d.xmin = ANY(ARRAY(SELECT transaction FROM stored))
    ORDER BY d.id FOR UPDATE SKIP LOCKED
  ), released AS (
    UPDATE deliveries d SET ${requeueSetSql} FROM lost
    WHERE d.id = lost.id AND d.enterprise_id = lost.enterprise_id
    RETURNING d.subscription_id, d.due_at
  ), noted AS (
    UPDATE subscription_health h SET ${lowerEarliestDueSql}
    WHERE h.subscription_id IN (SELECT subscription_id FROM released)
  ), touched AS (
    -- If the answer of this transaction is lost, too, the next one looks for what it let go.
    UPDATE attempts a SET is_counted = a.is_counted FROM stored
    WHERE a.delivery_id = stored.id AND a.started_at = stored.started_at AND a.is_counted
      AND a.started_at BETWEEN :first AND :last
  )
  SELECT id, generation FROM stored`;

/**
 * Which of the results are stored already, all by one transaction; none if it was not committed. What
 * they let go is due again. The caller holds the health locks.
 */
export async function recoverStored(
  trx: Trx,
  settlements: readonly Settlement[],
): Promise<StoredResult[]> {
  const times = settlements.map(({ record }) => record.startedAt.getTime());
  return namedRowsOf<StoredResult>(trx, recoverSql, {
    results: JSON.stringify(
      settlements.map(({ deliveryId, generation, record }) => ({
        delivery_id: deliveryId,
        generation,
        started_at: record.startedAt,
      })),
    ),
    subscriptions: [...new Set(settlements.map(({ subscriptionId }) => subscriptionId))],
    first: new Date(Math.min(...times)),
    last: new Date(Math.max(...times)),
  });
}
