import { expect } from "chai";
import { onChange, reportChange } from "../../../src/platform/db/changes.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";

describe("changes that a store reports", () => {
  // `after` is registered before `useDatabase`, so that the pool is closed before the database is
  // dropped.
  let db: Db;
  after("close the pool", () => db.destroy());
  const database = useDatabase();
  const heard: string[][] = [];
  before("listen to a pool", () => {
    db = openPool({ url: database.url, maxConnections: 2, name: "test" });
    onChange(db, (subjects) => void heard.push([...subjects]));
  });
  beforeEach(() => void heard.splice(0));

  it("are reported after the commit and before the transaction resolves", async () => {
    const result = inTransaction(db, async (trx) => {
      reportChange(trx, "user:1");
      await rowsOf(trx, "SELECT 1");
      reportChange(trx, "user:2");
      reportChange(trx, "user:1");
      expect(heard).to.deep.equal([]);
      return [...heard];
    });
    expect(await result.then(() => [...heard])).to.deep.equal([["user:1", "user:2"]]);
  });

  it("of a savepoint are reported with its transaction", async () => {
    await inTransaction(db, async (trx) => {
      await trx.transaction(async (savepoint) => reportChange(savepoint, "user:3"));
      expect(heard).to.deep.equal([]);
    });
    expect(heard).to.deep.equal([["user:3"]]);
  });

  it("are reported after a failure too: the commit may have succeeded", async () => {
    const failing = inTransaction(db, async (trx) => {
      reportChange(trx, "user:4");
      throw new Error("no answer");
    });
    expect(await failing.catch((thrown: Error) => thrown.message)).to.equal("no answer");
    expect(heard).to.deep.equal([["user:4"]]);
  });

  it("are reported at once without a transaction, and only to listeners of the pool", async () => {
    reportChange(database.db, "user:5");
    expect(heard).to.deep.equal([]);
    reportChange(db, "user:6");
    expect(heard).to.deep.equal([["user:6"]]);
  });

  it("are rejected in a transaction that would not report them", async () => {
    const unknown = db.transaction(async (trx) => reportChange(trx, "user:7"));
    expect(await unknown.catch((thrown: Error) => thrown.message)).to.match(/inTransaction/u);
  });
});
