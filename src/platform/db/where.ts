/** WHERE clauses, put together of parts. */
import { rowsOf, type Queryable } from "./pool.ts";

/** A part of a WHERE clause, with what is bound to its places. */
export type SqlCondition = Readonly<{ sql: string; bindings: readonly unknown[] }>;

/** A condition for what was asked for, none for what was not. */
export function where(sql: string, ...values: readonly unknown[]): SqlCondition[] {
  return values.includes(undefined) ? [] : [{ sql, bindings: values }];
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

/** The pattern of LIKE for a text that is somewhere inside, whatever characters it has. */
export function likePattern(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `%${text.replaceAll(/[\\%_]/gu, "\\$&")}%`;
}

/** How many rows of `from`, a table or a join, match. */
export async function countWhere(
  db: Queryable,
  from: string,
  { sql, bindings }: SqlCondition,
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM ${from} WHERE ${sql}`,
    bindings,
  );
  return row?.count ?? 0;
}
