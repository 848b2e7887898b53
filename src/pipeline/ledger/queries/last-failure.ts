import { successResult, type AttemptResult } from "../../../contracts/deliveries.ts";
import { rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import type { OwnedSubscription } from "./pull.ts";

/** How the last failed attempt ended. `status` is null where there was no answer. */
export type LastFailure = Readonly<{ result: AttemptResult; status: number | null }>;

/**
 * The newest delivery of each class of result, found by one index probe per class however many have
 * failed, and of those the one that was tried last. `interrupted` says nothing about a receiver.
 */
export async function findLastFailure(
  db: Queryable,
  { enterpriseId, subscriptionId }: OwnedSubscription,
): Promise<LastFailure | null> {
  const newest = (and: string): string => `
    SELECT d.id, d.created_at, d.last_result FROM deliveries d
    WHERE d.enterprise_id = ? AND d.subscription_id = ? AND d.last_result <> '${successResult}' ${and}
    ORDER BY d.last_result DESC, d.sequence DESC LIMIT 1`;
  const of = [enterpriseId, subscriptionId];
  const [row] = await rowsOf<{ last_result: AttemptResult; status: number | null }>(
    db,
    `WITH RECURSIVE failed AS (
       (${newest("")})
       UNION ALL
       SELECT next.* FROM failed
       CROSS JOIN LATERAL (${newest("AND d.last_result < failed.last_result")}) AS next
     )
     SELECT failed.last_result, tried.status FROM failed
     LEFT JOIN LATERAL (
       -- A minute for the worker's clock, which stamps attempts and may be a little behind.
       SELECT a.status, a.started_at FROM attempts a
       WHERE a.delivery_id = failed.id AND a.is_counted
         AND a.started_at >= failed.created_at - interval '1 minute'
       ORDER BY a.started_at DESC LIMIT 1
     ) AS tried ON true
     WHERE failed.last_result <> 'interrupted'
     ORDER BY tried.started_at DESC NULLS LAST LIMIT 1`,
    [...of, ...of],
  );
  return row === undefined ? null : { result: row.last_result, status: row.status };
}
