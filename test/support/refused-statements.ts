import type { Db } from "../../src/platform/db/pool.ts";

type Refused = Readonly<{
  /** Such as `UPDATE ON deliveries`. */
  statement: string;
  /** A condition on the row. */
  when?: string;
  /** The SQLSTATE of the error. */
  code?: string;
}>;

/** Runs `work` while statements that touch such rows fail. One at a time in a database. */
export async function whileRefused(
  db: Db,
  { statement, when = "true", code = "P0001" }: Refused,
  work: () => Promise<void>,
): Promise<void> {
  await db.raw(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER refuse BEFORE ${statement} FOR EACH ROW
      WHEN (${when}) EXECUTE FUNCTION refuse()`);
  try {
    await work();
  } finally {
    await db.raw("DROP FUNCTION refuse CASCADE");
  }
}
