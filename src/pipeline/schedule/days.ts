import { rowsOf, type Queryable } from "../../platform/db/pool.ts";

/** The tables that have a partition for each day, and the column that it goes by. */
export const dailyTables = [
  { table: "events", column: "occurred_at" },
  { table: "attempts", column: "started_at" },
] as const;
export type DailyTable = (typeof dailyTables)[number];

/** A partition with the day that it holds, in UTC. */
export type DayPartition = { name: string; day: string };

export function partitionName(table: string, day: string): string {
  return `${table}_${day.replaceAll("-", "")}`;
}

/** The partitions of single days, the oldest first. The default partition is none of them. */
export async function listDays(db: Queryable, table: string): Promise<DayPartition[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relname = ? AND pg_table_is_visible(p.oid) ORDER BY 1`,
    [table],
  );
  return rows.flatMap(({ name }) => {
    const [, year, month, date] = /_(\d{4})(\d\d)(\d\d)$/u.exec(name) ?? [];
    return year === undefined ? [] : [{ name, day: `${year}-${month}-${date}` }];
  });
}
