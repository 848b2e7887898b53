import { rowsOf, type Queryable } from "../platform/db/pool.ts";

/** The time zone of an enterprise. Timestamps without an offset are read in it. */
export async function findTimeZone(
  db: Queryable,
  enterpriseId: number,
): Promise<string | undefined> {
  const [row] = await rowsOf<{ time_zone: string }>(
    db,
    "SELECT time_zone FROM enterprises WHERE id = ?",
    [enterpriseId],
  );
  return row?.time_zone;
}
