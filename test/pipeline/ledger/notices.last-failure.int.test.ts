import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { findLastFailure } from "../../../src/pipeline/ledger/notices.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, fillDeliveries, mostRead, mostReadInVain } from "../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

describe("the last failure of a webhook", () => {
  const database = useDatabase();
  let of: { enterpriseId: number; subscriptionId: number };
  before("fill the ledger with failures", async function () {
    this.timeout(30_000);
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db, { id: 1 });
    const { id: subscriptionId } = await aSubscription(db, { enterprise_id: enterpriseId });
    of = { enterpriseId, subscriptionId };
    await fillDeliveries(db, subscriptionId, { state: "retry", count: 20_000, keys: 500 });
    await rowsOf(
      db,
      "UPDATE deliveries SET last_result = CASE WHEN sequence < 15000 THEN '5xx' ELSE 'refused' END",
    );
    // The newest deliveries have no attempt, because the receiver is only probed.
    await fillDeliveries(db, subscriptionId, { state: "pending", count: 20_000, keys: 500 });
    await rowsOf(
      db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status,
         failure)
       SELECT enterprise_id, created_at + n * interval '1 second', id, n, 5,
         CASE WHEN last_result = '5xx' THEN 503 END,
         CASE WHEN last_result <> '5xx' THEN last_result END
       FROM deliveries, generate_series(1, 2) AS n WHERE last_result IS NOT NULL`,
    );
    // The third attempt of the newest 5xx delivery was the last of all.
    await rowsOf(
      db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status)
       SELECT enterprise_id, created_at + interval '1 minute', id, 3, 5, 502 FROM deliveries
       WHERE sequence = 14999`,
    );
    await rowsOf(db, "ANALYZE deliveries, attempts");
  });

  it("is the one attempted last among many failures", async () => {
    expect(await findLastFailure(database.db, of)).to.deep.equal({ result: "5xx", status: 502 });
  });

  it("is found without reading all failures", async () => {
    const plan = await explain(database.db, (db) => findLastFailure(db, of));
    expect(plan)
      .to.include("deliveries_failed")
      .and.not.match(/Seq Scan on (?:deliveries|attempts)/u);
    expect(mostRead(plan)).to.be.lessThan(100);
    expect(mostReadInVain(plan)).to.be.lessThan(100);
  });

  it("is only visible to its own enterprise", async () => {
    const elsewhere = { ...of, enterpriseId: of.enterpriseId + 1 };
    expect(await findLastFailure(database.db, elsewhere)).to.equal(null);
  });
});
