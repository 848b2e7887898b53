/** Builds WHERE clauses. */
import { rowsOf, type Queryable } from "./pool.ts";

/** A condition and its bindings. */
export type SqlCondition = Readonly<{ sql: string; bindings: readonly unknown[] }>;

/** A condition if all values are given, else none. */
export function where(sql: string, ...values: readonly unknown[]): SqlCondition[] {
  return values.includes(undefined) ? [] : [{ sql, bindings: values }];
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: conditions.map(({ sql }) => sql).join(" AND "),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

/** A LIKE pattern for a substring, with escaped wildcards. */
export function likePattern(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `%${text.replaceAll(/[\\%_]/gu, "\\$&")}%`;
}

/** Counts the matching rows of `from`, a table or a join. */
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

/**
 * A number column, written so that it fits no index. Prepared statements that find a row by its id
 * write their other conditions so: a plan that is kept from the time when a table was empty, when
 * all indexes cost the same, could otherwise read all rows of an enterprise.
 */
export function unindexedNumberSql(column: string): string {
  return `(${column} + 0)`;
}

/** The same for a text column. */
export function unindexedTextSql(column: string): string {
  return `(${column} || '')`;
}

/** The same for "has no time": the predicate of partial indexes, which are then read whole. */
export function unindexedUnsetSql(timeColumn: string): string {
  return `coalesce(${timeColumn}, 'infinity') = 'infinity'`;
}
