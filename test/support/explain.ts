import type pg from "pg";
import { rowsOf, type Db, type Trx } from "../../src/platform/db/pool.ts";

/**
 * The plans of all statements that `work` runs, with the rows that they actually read. Each
 * statement is executed and rolled back. It returns plan lines instead of rows, so the result of
 * `work` is ignored. Prepared statements have the plan that they get on a connection of `db`.
 */
export async function explain(db: Db, work: (explained: Trx) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const inRollback = async (run: (trx: Trx) => Promise<{ rows: PlanRow[] }>) => {
    const trx = await db.transaction();
    try {
      const result = await run(trx);
      plans.push(...result.rows.map((row) => row["QUERY PLAN"]));
      return { rows: [] };
    } finally {
      await trx.rollback();
    }
  };
  const raw = (sql: string, bindings: never) =>
    inRollback((trx) => trx.raw(`${explainSql} ${sql}`, bindings));
  const query = ({ text, values, callback }: Submitted): void => {
    const result = inRollback(async (trx) => {
      const connection = (await trx.client.acquireConnection()) as pg.Client;
      return connection.query<PlanRow>(`${explainSql} ${text}`, values);
    });
    result.then((rows) => callback(null, rows), callback);
  };
  const client = {
    emit: () => true,
    acquireConnection: async () => ({ query }),
    releaseConnection: async () => undefined,
  };
  await work({ raw, client } as unknown as Trx);
  return plans.join("\n");
}

type PlanRow = { "QUERY PLAN": string };

/** A prepared statement as it is given to node-postgres. */
type Submitted = {
  text: string;
  values: unknown[];
  callback: (error: Error | null, result?: { rows: never[] }) => void;
};

const explainSql = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)";

/** The most rows that a single step of a plan has read and discarded. */
export function mostReadInVain(plan: string): number {
  return Math.max(
    0,
    ...[...plan.matchAll(/Rows Removed by Filter: (\d+)/gu)].map((m) => Number(m[1])),
  );
}

/** The most rows that a single step of a plan has returned. */
export function mostRead(plan: string): number {
  return Math.max(0, ...[...plan.matchAll(/actual rows=(\d+)/gu)].map((m) => Number(m[1])));
}

/**
 * Inserts deliveries in bulk: all in one state, alternating between `keys` objects, each waiting
 * for its predecessor.
 */
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
     SELECT s.enterprise_id, s.id, s.first + n, s.id * 10000000 + s.first + n, g.created_at, 'ticket',
       'ticket:' || (n % g.keys), g.state, g.attempts, g.created_at, g.created_at,
       CASE WHEN n > g.keys AND g.state IN ('pending', 'retry', 'paused')
         THEN s.first + n - g.keys END
     FROM (SELECT id, enterprise_id, (
         SELECT coalesce(max(sequence), 0) FROM deliveries WHERE subscription_id = subscriptions.id) AS first
         FROM subscriptions WHERE id = ? OFFSET 0) AS s,
       (SELECT CAST(? AS text) AS state, CAST(? AS integer) AS keys,
         CAST(? AS integer) AS attempts, CAST(? AS timestamptz) AS created_at) AS g,
       generate_series(1, ?) AS n`,
    [subscriptionId, state, keys, attempts, createdAt, count],
  );
}
