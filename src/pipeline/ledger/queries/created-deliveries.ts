/** What comes into the queue of each object kind, counted in intervals of ten seconds. */
import { namedRowsOf, type Trx } from "../../../platform/db/pool.ts";
import type { FeedPosition, IdRange } from "../attempt-tallies.ts";

export const stepSeconds = 10;

/** What one interval adds to one object kind. `at`: seconds since the epoch. */
export type QueueSum = { object: string; at: number } & Partial<
  Record<"made" | "delivered" | "failed", number>
>;

export type CreatedSums = { islands: IdRange[]; sums: QueueSum[]; read: number };

/**
 * Deliveries behind :reached and in :missing, as a feed of attempts reads those. What is pulled comes
 * into no queue.
 */
const createdSql = `
  WITH fresh AS MATERIALIZED (
    (SELECT id, object, created_at, state FROM deliveries WHERE id > :reached
     ORDER BY id LIMIT :limit)
    UNION ALL
    (SELECT d.* FROM json_to_recordset(CAST(:missing AS json)) AS gap("from" bigint, "to" bigint)
     CROSS JOIN LATERAL (
       SELECT id, object, created_at, state FROM deliveries
       WHERE id BETWEEN gap."from" AND gap."to" ORDER BY id LIMIT :limit) AS d)
  )
  SELECT
    (SELECT coalesce(json_agg(islands), '[]') FROM (
       SELECT min(id) AS "from", max(id) AS "to"
       FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS run FROM fresh) AS numbered
       GROUP BY run ORDER BY 1) AS islands) AS islands,
    (SELECT coalesce(json_agg(step), '[]') FROM (
       SELECT object, ${intervalStartSql("created_at")} AS at, count(*) AS made
       FROM fresh WHERE state <> 'available' GROUP BY 1, 2) AS step) AS sums,
    (SELECT count(*) FROM fresh) AS read`;

/** Deliveries that came since; at most about `limit`. */
export async function readCreated(
  trx: Trx,
  { reached, missing }: FeedPosition,
  limit: number,
): Promise<CreatedSums> {
  const bindings = { reached, missing: JSON.stringify(missing), limit };
  const [row] = await namedRowsOf<CreatedSums>(trx, createdSql, bindings);
  return row ?? { islands: [], sums: [], read: 0 };
}

/** SQL: the start of the interval that a time lies in, in seconds since the epoch. */
export function intervalStartSql(at: string): string {
  return `CAST(floor(extract(epoch FROM ${at}) / ${stepSeconds}) * ${stepSeconds} AS bigint)`;
}
