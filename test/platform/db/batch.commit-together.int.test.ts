import { expect } from "chai";
import { openSession } from "../../../src/platform/db/connection.ts";
import { afterCommit } from "../../../src/platform/db/open-transaction.ts";
import { openPool, rowsOf } from "../../../src/platform/db/pool.ts";
import {
  inImplicitTransaction,
  submitInTransaction,
} from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { openEndingServer } from "../../support/ending-server.ts";
import { eventually } from "../../support/eventually.ts";
import { useSteps } from "../../support/steps.ts";
import { untilWaiting } from "../../support/waiting.ts";

const insertSql = "INSERT INTO steps (id) VALUES (?::bigint)";

describe("transactions that end in the same turn", () => {
  const database = useDatabase();
  const ids = useSteps(database);

  const commit = (id: unknown, sql = insertSql, db = database.db): Promise<void> =>
    inImplicitTransaction(db, (trx) => submitInTransaction(trx, sql, [id]));

  const commitAll = (list: readonly number[]) => Promise.all(list.map((id) => commit(id)));

  /** `done`, or the code of the error. */
  const outcomeOf = (work: Promise<void>): Promise<string> =>
    work.then(
      () => "done",
      (error: Error & { code?: string }) => error.code ?? error.message,
    );

  const transactions = async (): Promise<number> => {
    const rows = await rowsOf(database.db, "SELECT DISTINCT xmin FROM steps");
    return rows.length;
  };

  /** After a failure, a second must pass. */
  const untilShared = (): Promise<void> =>
    eventually(async () => {
      await database.db.raw("TRUNCATE steps");
      await commitAll([1, 2]);
      expect(await transactions()).to.equal(1);
    });

  before(async () => {
    await database.db.raw(`CREATE FUNCTION fail_with(code text, id bigint) RETURNS bigint
      LANGUAGE plpgsql AS 'BEGIN RAISE ''no'' USING ERRCODE = code; END'`);
  });

  beforeEach(async () => {
    await untilShared();
    await database.db.raw("TRUNCATE steps");
  });

  it("share a commit, 16 at most", async () => {
    const list = Array.from({ length: 33 }, (_, index) => index);
    const sizesSql = "SELECT count(*)::int AS size FROM steps GROUP BY xmin ORDER BY 1";
    // While the pool still opens connections, some end in a later turn.
    await eventually(async () => {
      await database.db.raw("TRUNCATE steps");
      await commitAll(list);
      expect(await ids()).to.have.members(list);
      expect(await rowsOf(database.db, sizesSql)).to.deep.equal([
        { size: 1 },
        { size: 16 },
        { size: 16 },
      ]);
    });
  });

  it("reject only the one that fails, and run the others once", async () => {
    await commit(7);
    const outcomes = await Promise.all([1, 7, 2].map((id) => outcomeOf(commit(id))));
    expect(outcomes).to.deep.equal(["done", "23505", "done"]);
    expect(await ids()).to.have.members([1, 2, 7]);
  });

  for (const code of ["XX000", "58030", "08P01", "57014"]) {
    it(`reject only the one that fails with ${code}`, async () => {
      const failSql = `INSERT INTO steps (id) VALUES (fail_with('${code}', ?::bigint))`;
      const outcomes = await Promise.all([commit(1), commit(7, failSql), commit(2)].map(outcomeOf));
      expect(outcomes).to.deep.equal(["done", code, "done"]);
      expect(await ids()).to.have.members([1, 2]);
    });
  }

  it("reject only the one that fails at the commit", async () => {
    await database.db.raw(
      "CREATE TABLE late (id bigint REFERENCES steps DEFERRABLE INITIALLY DEFERRED)",
    );
    const all = [commit(1), commit(7, "INSERT INTO late VALUES (?::bigint)"), commit(2)];
    const outcomes = await Promise.all(all.map(outcomeOf));
    await database.db.raw("DROP TABLE late");
    expect(outcomes).to.deep.equal(["done", "23503", "done"]);
    expect(await ids()).to.have.members([1, 2]);
  });

  it("then commit alone for a second", async () => {
    await commit(7);
    await Promise.allSettled([commit(7), commit(8)]);
    await commitAll([1, 2, 3]);
    expect(await transactions()).to.equal(5);
    await untilShared();
  });

  it("do not wait for the lock that one of them needs", async () => {
    const other = await openSession({ url: database.url, name: "test" });
    await other.query("BEGIN");
    await other.query("INSERT INTO steps (id) VALUES (7)");
    const waiting = commit(7);
    await commitAll([1, 2]);
    expect(await ids()).to.have.members([1, 2]);
    await untilWaiting(database.db);
    await other.query("ROLLBACK");
    await other.close();
    await waiting;
    expect(await ids()).to.have.members([1, 2, 7]);
  });

  it("limit the wait for locks in their transaction only", async () => {
    await database.db.raw("CREATE TABLE limits (id bigint, value text)");
    const limitSql = `INSERT INTO limits VALUES (?::bigint, current_setting('lock_timeout'))`;
    await Promise.all([commit(1, limitSql), commit(2)]);
    await commit(3, limitSql);
    expect(await rowsOf(database.db, "SELECT value FROM limits ORDER BY id")).to.deep.equal([
      { value: "100ms" },
      { value: "0" },
    ]);
  });

  it("are all rejected if the connection is lost, and none runs again", async () => {
    await database.db.raw("CREATE SEQUENCE tries");
    const countSql = "SELECT nextval('tries') / ?::bigint";
    const endSql =
      "SELECT pg_terminate_backend(pg_backend_pid()) FROM generate_series(1, ?::bigint)";
    const all = [commit(1, countSql), commit(1, endSql), commit(3)];
    const outcomes = await Promise.all(all.map(outcomeOf));
    expect(outcomes).to.deep.equal(["57P01", "57P01", "57P01"]);
    expect(await ids()).to.deep.equal([]);
    expect(await rowsOf(database.db, "SELECT last_value::int FROM tries")).to.deep.equal([
      { last_value: 1 },
    ]);
    expect(database.db.client.pool.numUsed()).to.equal(0);
  });

  it("do not run again if the server ends after the commit, whatever it reports", async () => {
    await database.db.raw("CREATE TABLE accepted (id bigint)");
    const server = await openEndingServer(database.url);
    const db = openPool({ url: server.url, maxConnections: 4, name: "test" });
    server.endAfterCommit("53100");
    const all = [1, 2].map((id) => commit(id, "INSERT INTO accepted VALUES (?::bigint)", db));
    const outcomes = await Promise.all(all.map(outcomeOf));
    await db.destroy();
    await server.close();
    expect(outcomes).to.deep.equal(["53100", "53100"]);
    const accepted = await rowsOf(database.db, "SELECT id::int FROM accepted ORDER BY id");
    expect(accepted).to.deep.equal([{ id: 1 }, { id: 2 }]);
  });

  it("commit alone for a second after a loss, too", async () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop; // it cannot be sent, which ends the connection
    const outcomes = await Promise.all([commit(1), commit(loop)].map(outcomeOf));
    outcomes.forEach((outcome) => expect(outcome).to.contain("circular"));
    await commitAll([2, 3]);
    expect(await ids()).to.have.members([2, 3]);
    expect(await transactions()).to.equal(2);
  });

  it("call back once they are committed, and not if they are not", async () => {
    const called: number[] = [];
    await commit(7);
    const note = (id: number): Promise<void> =>
      inImplicitTransaction(database.db, async (trx) => {
        afterCommit(trx, () => called.push(id));
        await submitInTransaction(trx, insertSql, [id]);
      });
    await Promise.allSettled([note(1), note(7), note(2)]);
    expect(called).to.have.members([1, 2]);
  });
});
