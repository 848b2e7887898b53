import { expect } from "chai";
import { rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { preparedRowsOf, sharedRowsOf } from "../../../src/platform/db/prepared.ts";
import {
  inTransaction,
  inTransactionEndingWith,
  submitInTransaction,
} from "../../../src/platform/db/transaction.ts";
import { afterCommit } from "../../../src/platform/db/open-transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { useSteps } from "../../support/steps.ts";
import { eventually } from "../../support/eventually.ts";

const insertSql = "INSERT INTO steps (id) VALUES (?::bigint)";

/** The error with which a promise rejects. */
async function refusal(work: Promise<unknown>): Promise<Error> {
  const thrown: unknown = await work.then(() => undefined).catch((error: unknown) => error);
  expect(thrown).to.be.an.instanceOf(Error);
  return thrown as Error;
}

describe("a transaction whose statements share round trips", () => {
  const database = useDatabase();
  const ids = useSteps(database);

  const insert = (trx: Trx, id: number) => preparedRowsOf(trx, insertSql, [id]);

  it("runs them in the order of the calls, Knex's between them", async () => {
    await inTransaction(database.db, async (trx) => {
      await Promise.all([insert(trx, 3), insert(trx, 1)]);
      await submitInTransaction(trx, insertSql, [7]);
      await trx("steps").insert({ id: 5 });
      await insert(trx, 2);
    });
    expect(await ids()).to.deep.equal([3, 1, 7, 5, 2]);
  });

  it("is rolled back with its work", async () => {
    const failed = await refusal(
      inTransaction(database.db, async (trx) => {
        await submitInTransaction(trx, insertSql, [1]);
        throw new Error("no");
      }),
    );
    expect([failed.message, await ids()]).to.deep.equal(["no", []]);
  });

  it("rejects with the failure of a statement that it did not wait for", async () => {
    let hasGoneOn = false;
    const failed = await refusal(
      inTransaction(database.db, async (trx) => {
        await insert(trx, 1);
        await submitInTransaction(trx, insertSql, [1]);
        hasGoneOn = true;
      }),
    );
    expect(failed).to.include({ code: "23505" });
    expect([hasGoneOn, await ids()]).to.deep.equal([true, []]);
  });

  it("names the first failure, not that of the statements after it", async () => {
    const failed = await refusal(
      inTransaction(database.db, async (trx) => {
        await insert(trx, 1);
        await submitInTransaction(trx, insertSql, [1]);
        await insert(trx, 2);
      }),
    );
    expect(failed).to.include({ code: "23505" });
    expect(await ids()).to.deep.equal([]);
  });

  it("commits with its last statements, or not at all", async () => {
    const ending = (last: number) =>
      inTransactionEndingWith(database.db, async (trx) => {
        await insert(trx, last - 1);
        return { last: preparedRowsOf(trx, `${insertSql} RETURNING id`, [last]) };
      });
    expect(await ending(2)).to.deep.equal([{ id: 2 }]);
    const failed = await refusal(
      inTransactionEndingWith(database.db, async (trx) => {
        await insert(trx, 5);
        return { last: insert(trx, 2) };
      }),
    );
    expect(failed).to.include({ code: "23505" });
    expect(await ids()).to.deep.equal([1, 2]);
  });

  it("waits for statements in a savepoint, so that they can fail alone", async () => {
    await inTransaction(database.db, async (trx) => {
      await insert(trx, 1);
      const failed = await refusal(
        trx.transaction((savepoint) => submitInTransaction(savepoint, insertSql, [1])),
      );
      expect(failed).to.include({ code: "23505" });
      await insert(trx, 2);
    });
    expect(await ids()).to.deep.equal([1, 2]);
  });

  it("calls back once it is committed, even from a savepoint, and never otherwise", async () => {
    const seen: number[][] = [];
    const note = () => void ids().then((now) => seen.push(now));
    await inTransaction(database.db, async (trx) => {
      await trx.transaction(async (savepoint) => {
        afterCommit(savepoint, note);
        await insert(savepoint, 1);
      });
      expect(seen).to.deep.equal([]);
    });
    await eventually(() => expect(seen).to.deep.equal([[1]]));
    await refusal(
      inTransaction(database.db, async (trx) => {
        afterCommit(trx, note);
        await submitInTransaction(trx, insertSql, [1]);
      }),
    );
    await ids();
    expect(seen).to.have.length(1);
  });

  it("returns its connection, even after a failure", async () => {
    const work = (isFailing: boolean) => async (trx: Trx) => {
      await rowsOf(trx, isFailing ? "SELECT 1 / 0" : "SELECT 1");
    };
    await inTransaction(database.db, work(false));
    await refusal(inTransaction(database.db, work(true)));
    expect(database.db.client.pool.numUsed()).to.equal(0);
    expect(await rowsOf(database.db, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("refuses statements after its end", async () => {
    const { ended } = await inTransaction(database.db, async (trx) => ({ ended: trx }));
    expect((await refusal(insert(ended, 9))).message).to.contain("already ended");
    expect((await refusal(rowsOf(ended, "SELECT 1"))).message).to.contain("already ended");
    expect(await ids()).to.deep.equal([]);
  });

  it("rejects if its connection is lost before the first answer", async () => {
    const failed = await refusal(
      inTransaction(database.db, async (trx) => {
        await preparedRowsOf(trx, "SELECT pg_terminate_backend(pg_backend_pid())", []);
      }),
    );
    expect(failed.message).to.not.equal("");
    await inTransaction(database.db, (trx) => insert(trx, 4));
    expect(await ids()).to.deep.equal([4]);
  });
});

describe("reads that share a connection", () => {
  const database = useDatabase();
  const pidSql = "SELECT pg_backend_pid() AS pid, ?::bigint AS place";

  const read = (place: number) =>
    sharedRowsOf<{ pid: number; place: number }>(database.db, pidSql, [place]);

  it("get their own rows, at most sixteen on one connection", async () => {
    const places = Array.from({ length: 40 }, (_, place) => place);
    const rows = (await Promise.all(places.map(read))).flat();
    expect(rows.map(({ place }) => place)).to.deep.equal(places);
    expect(new Set(rows.map(({ pid }) => pid)).size).to.be.within(1, 3);
    expect(database.db.client.pool.numUsed()).to.equal(0);
  });

  it("fail alone, and together if the connection is lost", async () => {
    const wrong = sharedRowsOf(database.db, "SELECT 1 / ?::integer AS x", [0]);
    const rightly = read(1);
    const failed = await refusal(wrong);
    const right = await rightly;
    expect(failed).to.include({ code: "22012" });
    expect(right.map(({ place }) => place)).to.deep.equal([1]);
    const lost = sharedRowsOf(
      database.db,
      "SELECT pg_terminate_backend(pg_backend_pid()), ?::text",
      [""],
    );
    const ends = await Promise.allSettled([lost, read(2)]);
    expect(ends.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    expect((await read(3)).map(({ place }) => place)).to.deep.equal([3]);
    expect(database.db.client.pool.numUsed()).to.equal(0);
  });

  it("belong to a transaction inside one", async () => {
    await inTransaction(database.db, async (trx) => {
      const [own] = await preparedRowsOf<{ pid: number }>(trx, pidSql, [1]);
      const [shared] = await sharedRowsOf<{ pid: number }>(trx, pidSql, [2]);
      expect(shared?.pid).to.equal(own?.pid);
    });
  });
});
