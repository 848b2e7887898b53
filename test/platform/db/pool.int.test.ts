import { expect } from "chai";
import { inTransaction, preparedRowsOf, rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";

const sql = "SELECT ?::bigint AS id, ?::text AS name";

async function preparedOn(trx: Trx): Promise<number> {
  const rows = await rowsOf(trx, "SELECT FROM pg_prepared_statements WHERE statement LIKE ?", [
    "SELECT $1::bigint AS id%",
  ]);
  return rows.length;
}

describe("prepared statements", () => {
  const database = useDatabase();

  it("are parsed once per connection", async () => {
    await inTransaction(database.db, async (trx) => {
      const before = await preparedOn(trx);
      const first = await preparedRowsOf(trx, sql, [1, "one"]);
      const second = await preparedRowsOf(trx, sql, [2, "two"]);
      expect([...first, ...second]).to.deep.equal([
        { id: 1, name: "one" },
        { id: 2, name: "two" },
      ]);
      expect([before, await preparedOn(trx)]).to.deep.equal([0, 1]);
    });
  });

  it("continue after a migration that adds a column", async () => {
    const { db } = database;
    await db.raw("CREATE TABLE things (id bigint, name text)");
    const select = "SELECT id, name FROM things WHERE id = ?";
    await inTransaction(db, async (trx) => {
      await preparedRowsOf(trx, select, [1]);
      await trx.raw("ALTER TABLE things ADD COLUMN size bigint");
      expect(await preparedRowsOf(trx, select, [1])).to.deep.equal([]);
    });
  });
});
