import { expect } from "chai";
import { openSession } from "../../../src/platform/db/connection.ts";
import { afterCommit } from "../../../src/platform/db/open-transaction.ts";
import { rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { preparedRowsOf } from "../../../src/platform/db/prepared.ts";
import {
  inImplicitTransaction,
  inTransaction,
  submitInTransaction,
} from "../../../src/platform/db/transaction.ts";
import { refusal } from "../../support/refusal.ts";
import { useDatabase } from "../../support/database.ts";
import { useSteps } from "../../support/steps.ts";

const insertSql = "INSERT INTO steps (id) VALUES (?::bigint)";

/** Prepared on no connection before the test that uses it. */
const lateSql = "INSERT INTO steps (id) VALUES (?::bigint + 100)";

describe("an implicit transaction", () => {
  const database = useDatabase();
  const ids = useSteps(database);
  const sent: string[] = [];

  before(() => {
    database.db.on("query", ({ sql }: { sql: string }) => sent.push(sql));
  });

  beforeEach(() => {
    sent.length = 0;
  });

  const hold = (trx: Trx, id: unknown, sql = insertSql) => submitInTransaction(trx, sql, [id]);

  it("runs its statements in order, as one transaction", async () => {
    await inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 3);
      await hold(trx, 1);
    });
    const versions = await rowsOf(database.db, "SELECT DISTINCT xmin FROM steps");
    expect([await ids(), versions.length]).to.deep.equal([[3, 1], 1]);
  });

  it("sends them only when the work is done", async () => {
    await inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 3);
      expect(sent).to.deep.equal([]);
    });
    expect(sent).to.deep.equal([insertSql]);
  });

  it("sends nothing without statements", async () => {
    expect(await inImplicitTransaction(database.db, () => Promise.resolve(7))).to.equal(7);
    expect(sent).to.deep.equal([]);
  });

  it("takes no effect if its work fails", async () => {
    const failed = inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 1);
      throw new Error("no");
    });
    expect([await refusal(failed), await ids()]).to.deep.equal(["no", []]);
  });

  for (const [place, list] of [
    ["first", [7, 1, 2]],
    ["last", [1, 2, 7]],
  ] as const) {
    it(`takes no effect if its ${place} statement fails, and leaves the connection usable`, async () => {
      await inTransaction(database.db, (trx) => preparedRowsOf(trx, insertSql, [7]));
      const failed = inImplicitTransaction(database.db, async (trx) => {
        for (const id of list) {
          await hold(trx, id);
        }
      });
      expect([await refusal(failed), await ids()]).to.deep.equal(["23505", [7]]);
      await inImplicitTransaction(database.db, (trx) => hold(trx, 8));
      expect(await ids()).to.deep.equal([7, 8]);
    });
  }

  it("prepares what Postgres skipped after a failure once more", async () => {
    await inImplicitTransaction(database.db, (trx) => hold(trx, 7));
    const failing = inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 7);
      await hold(trx, 1, lateSql);
    });
    expect(await refusal(failing)).to.equal("23505");
    await inImplicitTransaction(database.db, (trx) => hold(trx, 1, lateSql));
    expect(await ids()).to.deep.equal([7, 101]);
  });

  it("takes no effect if a value cannot be sent", async () => {
    const failing = inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 1);
      const loop: Record<string, unknown> = {};
      loop["self"] = loop;
      await hold(trx, loop);
    });
    expect(await refusal(failing)).to.contain("circular");
    expect(await ids()).to.deep.equal([]);
    expect(database.db.client.pool.numUsed()).to.equal(0);
  });

  for (const begins of [true, false]) {
    const how = begins ? "in a begun transaction" : "in BEGIN and COMMIT";
    it(`takes no effect if a value cannot be sent ${how}, and forgets no statement`, async () => {
      const loop: Record<string, unknown> = {};
      loop["self"] = loop;
      const sql = `INSERT INTO steps (id) VALUES (?::bigint + ${begins ? 200 : 300})`;
      const run = begins ? inImplicitTransaction : inTransaction;
      const failing = run(database.db, async (trx) => {
        await hold(trx, 1);
        await rowsOf(trx, "SELECT 1");
        await hold(trx, loop, sql);
        await hold(trx, 2);
      });
      expect(await refusal(failing)).to.contain("circular");
      expect(await ids()).to.deep.equal([]);
      expect(await refusal(preparedRowsOf(database.db, sql, [loop]))).to.contain("circular");
      await preparedRowsOf(database.db, sql, [1]);
      expect(await ids()).to.have.length(1);
      expect(database.db.client.pool.numUsed()).to.equal(0);
    });
  }

  it("begins a transaction, with what it held, for a statement whose rows are read", async () => {
    const seen = await inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 3);
      const rows = await rowsOf<{ id: number }>(trx, "SELECT id FROM steps");
      await hold(trx, 1);
      await trx("steps").insert({ id: 5 });
      return rows;
    });
    expect([seen, await ids()]).to.deep.equal([[{ id: 3 }], [3, 1, 5]]);
  });

  it("rolls back what it held, and what it read after it, with its work", async () => {
    const failing = inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 3);
      await preparedRowsOf(trx, insertSql, [4]);
      throw new Error("no");
    });
    expect([await refusal(failing), await ids()]).to.deep.equal(["no", []]);
  });

  it("names the statement that failed, not the one after it", async () => {
    await inImplicitTransaction(database.db, (trx) => hold(trx, 3));
    const failing = inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 3);
      await rowsOf(trx, "SELECT 1");
    });
    expect(await refusal(failing)).to.equal("23505");
  });

  it("begins for a savepoint", async () => {
    await inImplicitTransaction(database.db, async (trx) => {
      await hold(trx, 1);
      const inside = trx.transaction((savepoint) => preparedRowsOf(savepoint, insertSql, [1]));
      expect(await refusal(inside)).to.equal("23505");
      await hold(trx, 2);
    });
    expect(await ids()).to.deep.equal([1, 2]);
  });

  it("calls back once it is committed, and not if it is not", async () => {
    const called: string[] = [];
    const work = (name: string, id: number) => async (trx: Trx) => {
      afterCommit(trx, () => called.push(name));
      await hold(trx, id);
      expect(called).not.to.include(name);
    };
    await inImplicitTransaction(database.db, work("committed", 1));
    await refusal(inImplicitTransaction(database.db, work("refused", 1)));
    expect(called).to.deep.equal(["committed"]);
  });

  it("begins nothing after its work has failed: the connection may be somebody else's", async () => {
    let late: Trx | undefined;
    const failing = inImplicitTransaction(database.db, async (trx) => {
      late = trx;
      throw new Error("no");
    });
    expect(await refusal(failing)).to.equal("no");
    expect(await refusal(preparedRowsOf(late as Trx, insertSql, [9]))).to.contain("already ended");
    expect(await refusal(hold(late as Trx, 9))).to.contain("already ended");
    await preparedRowsOf(database.db, insertSql, [5]); // on the same connection
    const other = await openSession({ url: database.url, name: "test" });
    expect(await other.query("SELECT id::int FROM steps")).to.deep.equal([{ id: 5 }]);
    await other.close();
  });

  it("stays committed in the report if a statement comes during the commit", async () => {
    let late: Promise<string> | undefined;
    await inTransaction(database.db, async (trx) => {
      await hold(trx, 1);
      late = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
        refusal(hold(trx, 2)),
      );
    });
    expect([await late, await ids()]).to.deep.equal(["The transaction has already ended", [1]]);
  });

  it("refuses statements after its end", async () => {
    const { ended } = await inImplicitTransaction(database.db, async (trx) => ({ ended: trx }));
    expect(await refusal(preparedRowsOf(ended, insertSql, [9]))).to.contain("already ended");
    expect(await refusal(rowsOf(ended, "SELECT 1"))).to.contain("already ended");
    expect(await ids()).to.deep.equal([]);
  });
});
