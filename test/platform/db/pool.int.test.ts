import { expect } from "chai";
import { openSession } from "../../../src/platform/db/connection.ts";
import { openPool, rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { preparedRowsOf } from "../../../src/platform/db/prepared.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";

const sql = "SELECT ?::bigint AS id, ?::text AS name";

async function preparedOn(trx: Trx): Promise<number> {
  const rows = await rowsOf(trx, "SELECT FROM pg_prepared_statements WHERE statement LIKE ?", [
    "SELECT $1::bigint AS id%",
  ]);
  return rows.length;
}

describe("a connection", () => {
  const database = useDatabase();

  it("compiles no statements, in a pool or alone", async () => {
    expect(await rowsOf(database.db, "SHOW jit")).to.deep.equal([{ jit: "off" }]);
    const session = await openSession({ url: database.url, name: "test" });
    expect(await session.query("SHOW jit")).to.deep.equal([{ jit: "off" }]);
    await session.close();
  });
});

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

  it("use an index in a pool of their own, although their table was small when they were planned", async () => {
    const pool = openPool({ url: database.url, maxConnections: 1, name: "x", isIndexedOnly: true });
    try {
      await pool.raw("CREATE TABLE parcels (id bigint PRIMARY KEY, state text)");
      const update = `UPDATE parcels p SET state = 'sent'
        FROM json_to_recordset(?::json) AS input(id bigint) WHERE p.id = input.id RETURNING p.id`;
      await preparedRowsOf(pool, update, ["[]"]);
      await pool.raw("INSERT INTO parcels SELECT n, 'new' FROM generate_series(1, 1000) AS n");
      await inTransaction(pool, async (trx) => {
        const scans = () =>
          rowsOf<{ seq_scan: number; idx_scan: number }>(
            trx,
            "SELECT seq_scan, idx_scan FROM pg_stat_xact_user_tables WHERE relname = 'parcels'",
          );
        const [before] = await scans(); // index creation has read the table
        expect(await preparedRowsOf(trx, update, ['[{"id":7}]'])).to.deep.equal([{ id: 7 }]);
        const [after] = await scans();
        expect((after?.seq_scan ?? 0) - (before?.seq_scan ?? 0)).to.equal(0);
        expect((after?.idx_scan ?? 0) - (before?.idx_scan ?? 0)).to.equal(1);
      });
    } finally {
      await pool.destroy();
    }
  });
});
