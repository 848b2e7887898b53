import { expect } from "chai";
import { readTallyBacklog } from "../../../src/pipeline/ledger/attempt-feed.ts";
import { rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, mostRead, mostReadInVain } from "../../support/explain.ts";

describe("the number of attempts that are not tallied", () => {
  const database = useDatabase();

  for (const isAnalyzed of [false, true]) {
    it(`reads none of the others, ${isAnalyzed ? "with" : "without"} statistics`, async () => {
      await rowsOf(
        database.db,
        `INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status, is_counted)
         SELECT n, 1, now(), 5, 200, TRUE FROM generate_series(1, 20000) AS n`,
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
