import { expect } from "chai";
import { afterCommit } from "../../../src/platform/db/open-transaction.ts";
import { rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { preparedRowsOf } from "../../../src/platform/db/prepared.ts";
import { inOneBatch } from "../../../src/platform/db/batch.ts";
import { refusal } from "../../support/refusal.ts";
import { useDatabase } from "../../support/database.ts";
import { useSteps } from "../../support/steps.ts";

const insertSql = "INSERT INTO steps (id) VALUES (?::bigint)";

describe("a batch", () => {
  const database = useDatabase();
  const ids = useSteps(database);

  const insert = (trx: Trx, id: number) => preparedRowsOf(trx, insertSql, [id]);

  const read = (trx: Trx) =>
    preparedRowsOf<{ id: number; version: string }>(
      trx,
      "SELECT id, xmin AS version FROM steps ORDER BY at",
      [],
    );

  for (const time of ["first", "second"]) {
    it(`returns the rows of each statement, the ${time} time on a connection`, async () => {
      const [before, , between, , after] = await inOneBatch(database.db, (trx) =>
        Promise.all([read(trx), insert(trx, 3), read(trx), insert(trx, 1), read(trx)]),
      );
      expect(before).to.deep.equal([]);
      expect(between.map(({ id }) => id)).to.deep.equal([3]);
      expect(after.map(({ id }) => id)).to.deep.equal([3, 1]);
      expect(new Set(after.map(({ version }) => version)).size).to.equal(1);
    });
  }

  it("keeps a setting and a lock until its end", async () => {
    const setSql = "SELECT set_config('sightline.has_outbox', ?, true)";
    const getSql = "SELECT current_setting('sightline.has_outbox', true) AS value";
    const locksSql = "SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory'";
    const [, , inside, locked] = await inOneBatch(database.db, (trx) =>
      Promise.all([
        preparedRowsOf(trx, setSql, ["yes"]),
        preparedRowsOf(trx, "SELECT pg_advisory_xact_lock(?::bigint)", [4711]),
        preparedRowsOf(trx, getSql, []),
        preparedRowsOf<{ count: number }>(trx, locksSql, []),
      ]),
    );
    expect(inside).to.deep.equal([{ value: "yes" }]);
    expect(locked[0]?.count).to.be.greaterThan(0);
    expect(await rowsOf(database.db, getSql)).to.deep.equal([{ value: "" }]);
  });

  it("takes no effect if one statement fails, and rejects all", async () => {
    const outcomes: string[] = [];
    const note = (one: Promise<unknown>) =>
      one.then(
        () => outcomes.push("done"),
        (error: Error & { code?: string }) => outcomes.push(error.code ?? error.message),
      );
    await inOneBatch(database.db, async (trx) => {
      await Promise.all([note(insert(trx, 1)), note(insert(trx, 1)), note(insert(trx, 2))]);
    });
    expect([outcomes, await ids()]).to.deep.equal([["23505", "23505", "23505"], []]);
    const next = inOneBatch(database.db, (trx) => insert(trx, 2));
    expect([await next, await ids()]).to.deep.equal([[], [2]]);
  });

  it("takes no effect if its work fails before it waits", async () => {
    const failing = inOneBatch(database.db, async (trx) => {
      void insert(trx, 1);
      throw new Error("no");
    });
    expect(await refusal(failing)).to.equal("no");
    const failingPart = async (): Promise<void> => {
      throw new Error("part");
    };
    const partly = inOneBatch(database.db, (trx) => Promise.all([insert(trx, 1), failingPart()]));
    expect(await refusal(partly)).to.equal("part");
    expect(await ids()).to.deep.equal([]);
    expect(database.db.client.pool.numUsed()).to.equal(0);
  });

  it("calls back once it is committed, and not if it is not", async () => {
    const called: string[] = [];
    const work = (name: string) => async (trx: Trx) => {
      afterCommit(trx, () => called.push(name));
      await insert(trx, 1);
    };
    await inOneBatch(database.db, work("committed"));
    expect(await refusal(inOneBatch(database.db, work("refused")))).to.equal("23505");
    expect(called).to.deep.equal(["committed"]);
  });

  it("takes no effect if it fails at its end, and leaves the connection usable", async () => {
    await database.db.raw(`CREATE TABLE later (id bigint
      REFERENCES steps DEFERRABLE INITIALLY DEFERRED)`);
    const laterSql = "INSERT INTO later (id) VALUES (?::bigint)";
    const later = (trx: Trx) => preparedRowsOf(trx, laterSql, [5]);
    for (const time of ["first", "second"]) {
      expect(await refusal(inOneBatch(database.db, later)), time).to.equal("23503");
    }
    await inOneBatch(database.db, (trx) => Promise.all([later(trx), insert(trx, 5)]));
    expect(await ids()).to.deep.equal([5]);
    await database.db.raw("DROP TABLE later");
  });

  it("refuses statements after the first wait, and those that are not prepared", async () => {
    const late = inOneBatch(database.db, async (trx) => {
      await insert(trx, 1);
      await insert(trx, 2);
    });
    expect(await refusal(late)).to.contain("already ended");
    const builder = inOneBatch(database.db, (trx) => rowsOf(trx, "SELECT 1"));
    expect(await refusal(builder)).to.contain("already ended");
    expect(await ids()).to.deep.equal([1]);
    expect(database.db.client.pool.numUsed()).to.equal(0);
  });
});
