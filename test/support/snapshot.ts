import { preparedRowsOf, rowsOf, type Db } from "../../src/platform/db/pool.ts";

/** Counts of calls: they grow whatever a call ends in. */
const notLookedAt = new Set(["rate_limits"]);

const tablesOf = async (db: Db): Promise<string[]> => {
  const rows = await rowsOf<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 1`,
  );
  return rows.map(({ name }) => name).filter((name) => !notLookedAt.has(name));
};

/**
 * Tells whether anything was written: for every table how many rows it has and which transaction
 * wrote the latest of them. A row that is written anew with the same content counts.
 */
export const createWriteMarks = async (db: Db): Promise<() => Promise<string>> => {
  const parts = (await tablesOf(db)).map(
    (name) => `SELECT '${name} ' || count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) AS mark
      FROM "${name}"`,
  );
  const sql = `SELECT string_agg(mark, '|' ORDER BY mark) AS all FROM (${parts.join(" UNION ALL ")}) m`;
  return async () => (await preparedRowsOf<{ all: string }>(db, sql, []))[0]?.all ?? "";
};

/** The content of every table, as one hash each: `tickets` → hash. */
export const createContents = async (db: Db): Promise<() => Promise<Record<string, string>>> => {
  const parts = (await tablesOf(db)).map(
    (name) => `SELECT '${name}' AS name,
      md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash FROM "${name}" t`,
  );
  const sql = parts.join(" UNION ALL ");
  return async () => {
    const rows = await preparedRowsOf<{ name: string; hash: string }>(db, sql, []);
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  };
};
