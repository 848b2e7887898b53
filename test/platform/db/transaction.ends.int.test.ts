import { expect } from "chai";
import { rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { preparedRowsOf } from "../../../src/platform/db/prepared.ts";
import { inTransaction, inTransactionEndingWith } from "../../../src/platform/db/transaction.ts";
import { afterCommit } from "../../../src/platform/db/open-transaction.ts";
import { useDatabase } from "../../support/database.ts";

const insertSql = "INSERT INTO steps (id) VALUES (?::bigint)";

describe("the end of a transaction", () => {
  const database = useDatabase();

  before(async () => {
    await database.db.raw("CREATE TABLE steps (id bigint PRIMARY KEY)");
  });

  beforeEach(async () => {
    await database.db.raw("TRUNCATE steps");
  });

  const ids = async (): Promise<number[]> => {
    const rows = await rowsOf<{ id: number }>(database.db, "SELECT id FROM steps ORDER BY id");
    return rows.map(({ id }) => id);
  };

  const insert = (trx: Trx, id: number) => preparedRowsOf(trx, insertSql, [id]);

  /** Waits for this many turns of the microtask queue. */
  const pass = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      await Promise.resolve();
    }
  };

  it("leaves no statement of Knex that was started just before it", async () => {
    const insertAfter = async (turns: number, trx: Trx): Promise<void> => {
      if (turns > 0) {
        await pass(turns - 1);
      }
      await trx("steps").insert({ id: turns });
    };
    const started: Promise<unknown>[] = [];
    for (let turns = 0; turns < 10; turns += 1) {
      const work = async (trx: Trx): Promise<void> => {
        await insert(trx, 100);
        started.push(insertAfter(turns, trx).catch(() => undefined));
        throw new Error("no");
      };
      await inTransaction(database.db, work).catch(() => undefined);
    }
    await Promise.all(started);
    expect(await ids()).to.deep.equal([]);
  });

  it("leaves no statement of a savepoint whose rollback is sent", async () => {
    const started: Promise<unknown>[] = [];
    await inTransaction(database.db, async (trx) => {
      await trx
        .transaction(async (savepoint) => {
          const insertLater = async (): Promise<void> => {
            await pass(20); // the rollback has been sent, but not answered
            await insert(savepoint, 1);
          };
          started.push(insertLater().catch(() => undefined));
          throw new Error("no");
        })
        .catch(() => undefined);
      await Promise.all(started);
    });
    expect(await ids()).to.deep.equal([]);
  });

  it("runs savepoints that start together one after the other", async () => {
    await inTransaction(database.db, async (trx) => {
      const first = trx.transaction(async (savepoint) => {
        await insert(savepoint, 1);
        await preparedRowsOf(savepoint, "SELECT 1 / ?::integer", [0]);
      });
      const second = trx.transaction((savepoint) => insert(savepoint, 2));
      await Promise.allSettled([first, second]);
      await second;
    });
    expect(await ids()).to.deep.equal([2]);
  });

  it("leaves the next transaction on its connection alone, even if a savepoint ends later", async () => {
    let endSavepoint = (): void => undefined;
    const isNext = new Promise<void>((resolve) => {
      endSavepoint = resolve;
    });
    let late = Promise.resolve();
    await inTransaction(database.db, async (trx) => {
      late = trx.transaction(async () => {
        await isNext;
        throw new Error("no");
      });
      late.catch(() => undefined);
      await insert(trx, 1);
      throw new Error("no");
    }).catch(() => undefined);
    await inTransaction(database.db, async (trx) => {
      await insert(trx, 2);
      endSavepoint();
      await late.catch(() => undefined);
      await insert(trx, 3);
    });
    expect(await ids()).to.deep.equal([2, 3]);
  });

  it("does not call back if its last statements failed", async () => {
    let isCalled = false;
    await insert(database.db as Trx, 1);
    const failed: unknown = await inTransactionEndingWith(database.db, async (trx) => {
      afterCommit(trx, () => {
        isCalled = true;
      });
      return { last: insert(trx, 1) };
    }).catch((thrown: unknown) => thrown);
    expect(failed).to.include({ code: "23505" });
    expect(isCalled).to.equal(false);
  });

  it("rejects if a failure was swallowed, because nothing is committed", async () => {
    const result = await inTransaction(database.db, async (trx) => {
      await insert(trx, 1);
      await insert(trx, 1).catch(() => undefined);
      return "committed";
    }).catch(() => "rejected");
    expect([result, await ids()]).to.deep.equal(["rejected", []]);
  });
});
