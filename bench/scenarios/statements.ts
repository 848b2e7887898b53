/** The cost of each SQL statement under different loads (`--only=statements`). */
import { rowsOf } from "../../src/platform/db/pool.ts";
import type { Stack } from "../support/stack.ts";

export type StatementCost = {
  /** The beginning of the SQL text, with collapsed whitespace. */
  statement: string;
  calls: number;
  rowsPerCall: number;
  us: number;
  walBytes: number;
};

/** Required server settings. They add a small cost, so other parts run without them. */
export const statementSettings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_planning": "on",
};

export async function resetStatements({ db }: Stack): Promise<void> {
  await db.raw("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  await db.raw("SELECT pg_stat_statements_reset()");
}

type Row = { query: string; calls: number; rows: number; ms: number; wal: number };

function shortened(query: string): string {
  return query.replaceAll(/\s+/gu, " ").trim().slice(0, 100);
}

/** Statistics since the last reset, divided by `count`. */
export async function readStatements({ db }: Stack, count: number): Promise<StatementCost[]> {
  const rows = await rowsOf<Row>(
    db,
    `SELECT query, calls, rows, total_exec_time + total_plan_time AS ms,
       CAST(wal_bytes AS bigint) AS wal
     FROM pg_stat_statements WHERE query !~ 'pg_stat_statements|VACUUM|CHECKPOINT'
     ORDER BY ms DESC LIMIT 16`,
  );
  return rows.map(({ query, calls, rows: returned, ms, wal }) => ({
    statement: shortened(query),
    calls: calls / count,
    rowsPerCall: returned / calls,
    us: (ms * 1_000) / count,
    walBytes: wal / count,
  }));
}
