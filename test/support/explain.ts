import { rowsOf, type Db, type Trx } from "../../src/platform/db/pool.ts";

/**
 * The plans of every statement that `work` runs, with what they really read. Each is run and
 * undone; what `work` makes of the lines it gets for rows does not matter.
 */
export async function explain(db: Db, work: (explained: Trx) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const raw = async (sql: string, bindings: never) => {
    const trx = await db.transaction();
    try {
      const result: { rows: { "QUERY PLAN": string }[] } = await trx.raw(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${sql}`,
        bindings,
      );
      plans.push(...result.rows.map((row) => row["QUERY PLAN"]));
      return { rows: [] };
    } finally {
      await trx.rollback();
    }
  };
  await work({ raw } as unknown as Trx);
  return plans.join("\n");
}

/** The most rows that any step of a plan read in vain. */
export function mostReadInVain(plan: string): number {
  return Math.max(
    0,
    ...[...plan.matchAll(/Rows Removed by Filter: (\d+)/gu)].map((m) => Number(m[1])),
  );
}

/** The most rows that any step of a plan gave. */
export function mostRead(plan: string): number {
  return Math.max(0, ...[...plan.matchAll(/actual rows=(\d+)/gu)].map((m) => Number(m[1])));
}

/** Deliveries in bulk: one state, `keys` objects in turns, each waiting for the one before it. */
export async function fillDeliveries(
  db: Db,
  subscriptionId: number,
  input: { state: string; count: number; keys: number; attempts?: number; createdAt?: Date },
): Promise<void> {
  const { state, count, keys, attempts = 0, createdAt = new Date() } = input;
  await rowsOf(
    db,
    `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
       key, state, attempts, due_at, created_at, waits_for)
     SELECT 1, s.id, s.first + n, s.id * 10000000 + s.first + n, g.created_at, 'ticket',
       'ticket:' || (n % g.keys), g.state, g.attempts, g.created_at, g.created_at,
       CASE WHEN n > g.keys AND g.state IN ('pending', 'retry', 'paused')
         THEN s.first + n - g.keys END
     FROM (SELECT CAST(? AS bigint) AS id, (
         SELECT coalesce(max(sequence), 0) FROM deliveries WHERE subscription_id = ?) AS first
       ) AS s,
       (SELECT CAST(? AS text) AS state, CAST(? AS integer) AS keys,
         CAST(? AS integer) AS attempts, CAST(? AS timestamptz) AS created_at) AS g,
       generate_series(1, ?) AS n`,
    [subscriptionId, subscriptionId, state, keys, attempts, createdAt, count],
  );
}
