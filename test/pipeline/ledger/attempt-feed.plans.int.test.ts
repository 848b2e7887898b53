import { expect } from "chai";
import { readTallyBacklog } from "../../../src/pipeline/ledger/attempt-feed.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { openPool, rowsOf, type Db, type Trx } from "../../../src/platform/db/pool.ts";
import { tallyAttempts } from "../../../src/pipeline/schedule/tallies.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, fillDeliveries, mostRead, mostReadInVain } from "../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

/** Ended deliveries with an attempt each, of which all but the last ten are tallied. */
async function fill(db: Db): Promise<void> {
  const { id: enterprise_id } = await anEnterprise(db);
  const { id } = await aSubscription(db, { enterprise_id });
  await fillDeliveries(db, id, { state: "delivered", count: 3_000, keys: 10, attempts: 1 });
  await rowsOf(
    db,
    `INSERT INTO attempts (enterprise_id, delivery_id, number, started_at, duration_ms, status,
       is_counted)
     SELECT enterprise_id, id, 1, now(), 5, 200, TRUE FROM deliveries WHERE subscription_id = ? ORDER BY id`,
    [id],
  );
  await rowsOf(
    db,
    `UPDATE delivery_tally_progress SET reached = (SELECT max(id) - 10 FROM attempts),
       made_reached = (SELECT max(id) - 10 FROM deliveries)`,
  );
}

/** Rows that were read without an index. */
async function readRows(db: Db): Promise<number> {
  await rowsOf(db, "SELECT pg_stat_force_next_flush()");
  const [row] = await rowsOf<{ rows: number }>(
    db,
    `SELECT CAST(sum(seq_tup_read) AS bigint) AS rows FROM pg_stat_user_tables
     WHERE relname = 'deliveries' OR relname LIKE 'attempts%'`,
  );
  return row?.rows ?? 0;
}

describe("attempts that are not tallied", () => {
  let db: Db;
  after(() => db.destroy()); // before the database is dropped
  const database = useDatabase();
  before(async () => {
    db = openPool({ url: database.url, maxConnections: 1, name: "test" });
    await fill(db);
  });

  it("are read by index, even without statistics", async () => {
    const before = await readRows(db);
    expect(await tallyAttempts({ db, clock: systemClock })).to.equal(10);
    expect((await readRows(db)) - before).to.equal(0);
  });
});

describe("the number of attempts that are not tallied", () => {
  const database = useDatabase();

  for (const isAnalyzed of [false, true]) {
    it(`reads none of the others, ${isAnalyzed ? "with" : "without"} statistics`, async () => {
      await rowsOf(
        database.db,
        `INSERT INTO attempts (enterprise_id, delivery_id, number, started_at, duration_ms, status,
           is_counted)
         SELECT 1, n, 1, now(), 5, 200, TRUE FROM generate_series(1, 20000) AS n`,
      );
      await rowsOf(
        database.db,
        "UPDATE delivery_tally_progress SET reached = (SELECT max(id) - 10 FROM attempts)",
      );
      if (isAnalyzed) {
        await rowsOf(database.db, "ANALYZE attempts");
      }
      const plan = await explain(database.db, (db: Trx) => readTallyBacklog(db, 501));
      expect(mostRead(plan)).to.equal(10);
      expect(mostReadInVain(plan)).to.equal(0);
      expect((await readTallyBacklog(database.db, 501))?.newAttempts).to.equal(10);
    });
  }
});
