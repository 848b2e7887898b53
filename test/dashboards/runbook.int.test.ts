import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { inTransaction, rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";

const readStatements = async (): Promise<string[]> => {
  const page = await readFile(new URL("../../docs/runbook.md", import.meta.url), "utf8");
  return [...page.matchAll(/```sql\n(.*?)```/gsu)].map(([, sql = ""]) => sql);
};

describe("the runbook", () => {
  const database = useDatabase();

  it("has statements that run on the schema as it is", async () => {
    const statements = await readStatements();
    expect(statements).to.have.length.above(3);
    for (const statement of statements) {
      await inTransaction(database.db, async (trx) => rowsOf(trx, statement));
    }
  });

  it("brings back what was set aside", async () => {
    const { db } = database;
    await db.raw(
      "INSERT INTO outbox_dead (event_id, occurred_at, reason) VALUES (4711, now(), 'broken')",
    );
    const statement = (await readStatements()).find((sql) => sql.includes("outbox_dead"));
    await db.raw(statement ?? "");
    const rows = await rowsOf<{ event_id: number }>(db, "SELECT event_id FROM outbox");
    expect(rows.map((row) => row.event_id)).to.deep.equal([4711]);
    expect(await rowsOf(db, "SELECT event_id FROM outbox_dead")).to.deep.equal([]);
  });
});
