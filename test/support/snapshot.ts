import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { preparedRowsOf } from "../../src/platform/db/prepared.ts";

/** Counters of calls, which grow whatever the result of a call. */
const ignoredTables = new Set(["rate_limits"]);

/** All tables of the schema; a partitioned table counts as one. */
async function listTables(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !ignoredTables.has(name));
}

/**
 * Records every row that is written from now on, in a separate schema. The record belongs to the
 * writing transaction and is rolled back with it.
 */
async function recordWrites(db: Db, tables: readonly string[]): Promise<void> {
  await db.raw(`
    CREATE SCHEMA IF NOT EXISTS test_writes;
    CREATE TABLE IF NOT EXISTS test_writes.log (id bigserial PRIMARY KEY, name text NOT NULL);
    CREATE OR REPLACE FUNCTION test_writes.record() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO test_writes.log (name) VALUES (TG_ARGV[0]);
      RETURN NULL;
    END $$;
  `);
  for (const name of tables) {
    await db.raw(
      `CREATE OR REPLACE TRIGGER zz_test_writes AFTER INSERT OR UPDATE OR DELETE ON ??
       FOR EACH ROW EXECUTE FUNCTION test_writes.record('${name}')`,
      [name],
    );
  }
}

/**
 * A mark that changes with every committed write, even if a row is rewritten with the same content.
 */
export async function createWriteMarks(db: Db): Promise<() => Promise<string>> {
  await recordWrites(db, await listTables(db));
  const sql = "SELECT coalesce(max(id), 0)::text AS mark FROM test_writes.log";
  return async () => (await preparedRowsOf<{ mark: string }>(db, sql, []))[0]?.mark ?? "";
}

/**
 * The content of every table, as one hash each: `tickets` → hash. Reads only tables that were
 * written to since the last call.
 */
export async function createContents(db: Db): Promise<() => Promise<Record<string, string>>> {
  const tables = await listTables(db);
  await recordWrites(db, tables);
  const hashes: Record<string, string> = {};
  const readHash = async (name: string): Promise<void> => {
    const [row] = await preparedRowsOf<{ hash: string }>(
      db,
      `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM "${name}" t`,
      [],
    );
    hashes[name] = row?.hash ?? "";
  };
  for (const name of tables) {
    await readHash(name);
  }
  return async () => {
    const written = await preparedRowsOf<{ name: string }>(
      db,
      "WITH taken AS (DELETE FROM test_writes.log RETURNING name) SELECT DISTINCT name FROM taken",
      [],
    );
    for (const { name } of written) {
      await readHash(name);
    }
    return { ...hashes };
  };
}
