import { type Db, rowsOf } from "../../src/platform/db/pool.ts";

/** A table for tests of transactions, emptied before each. The ids are in the order of the inserts. */
export function useSteps(database: { readonly db: Db }): () => Promise<number[]> {
  before(async () => {
    await database.db.raw("CREATE TABLE steps (id bigint PRIMARY KEY, at serial)");
  });

  beforeEach(async () => {
    await database.db.raw("TRUNCATE steps");
  });

  return async () => {
    const rows = await rowsOf<{ id: number }>(database.db, "SELECT id FROM steps ORDER BY at");
    return rows.map(({ id }) => id);
  };
}
