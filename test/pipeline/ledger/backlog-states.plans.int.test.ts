import { expect } from "chai";
import {
  listPendingBacklogMoves,
  pauseDeliveries,
  cancelPausedDeliveries,
} from "../../../src/pipeline/ledger/backlog-states.ts";
import { openPool, rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, fillDeliveries, mostRead, mostReadInVain } from "../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

describe("pausing beside large backlogs", () => {
  const database = useDatabase();
  let off: number;
  before("fill the ledger", async function () {
    this.timeout(30_000);
    const { db } = database;
    const { id: enterprise_id } = await anEnterprise(db);
    const subscription = async (is_active: boolean) =>
      (await aSubscription(db, { enterprise_id, is_active })).id;
    off = await subscription(false);
    const on = await subscription(true);
    const idle = await subscription(false);
    await fillDeliveries(db, on, { state: "delivered", count: 20_000, keys: 500 });
    await fillDeliveries(db, on, { state: "pending", count: 20_000, keys: 500 });
    await fillDeliveries(db, off, { state: "paused", count: 20_000, keys: 500 });
    await fillDeliveries(db, idle, { state: "delivered", count: 10, keys: 10 });
    await rowsOf(db, "ANALYZE subscriptions, deliveries");
  });

  it("finds nothing to move without reading a large backlog", async () => {
    expect(await listPendingBacklogMoves(database.db)).to.deep.equal([]);
    const ledgerDb = openPool({
      ...{ url: database.url, maxConnections: 1, name: "test", isIndexedOnly: true },
    });
    try {
      const plan = await explain(ledgerDb, listPendingBacklogMoves);
      expect(plan).to.include("deliveries_paused");
      expect(plan).to.not.match(/Seq Scan on deliveries/u);
      expect(mostReadInVain(plan)).to.be.lessThan(100);
    } finally {
      await ledgerDb.destroy();
    }
  });

  it("finds the one waiting delivery among paused ones", async () => {
    const change = "UPDATE deliveries SET state = ? WHERE subscription_id = ? AND sequence = 700";
    await rowsOf(database.db, change, ["pending", off]);
    expect(await listPendingBacklogMoves(database.db)).to.deep.equal([
      { subscriptionId: off, move: "pause" },
    ]);
    await rowsOf(database.db, change, ["paused", off]);
  });

  it("pauses nothing, without reading a paused backlog", async () => {
    expect(await pauseDeliveries(database.db, off, 5_000)).to.equal(0);
    const plan = await explain(database.db, (db) => pauseDeliveries(db, off, 5_000));
    expect(plan).to.include("deliveries_first").and.include("deliveries_again");
    expect(plan).to.not.match(/Seq Scan on deliveries/u);
    expect(mostReadInVain(plan)).to.be.lessThan(100);
  });

  it("ends a batch of paused deliveries without reading the rest", async () => {
    const plan = await explain(database.db, (db) =>
      cancelPausedDeliveries(db, off, { now: new Date(), limit: 100 }),
    );
    expect(plan).to.include("deliveries_paused");
    expect(plan).to.not.match(/Seq Scan on deliveries/u);
    expect(mostRead(plan)).to.be.lessThan(1_000);
  });
});
