import { expect } from "chai";
import {
  releaseStuckSuccessors,
  listBlockedSubscriptions,
} from "../../../src/pipeline/ledger/release-successors.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, fillDeliveries, mostRead } from "../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

describe("releasing blocked successors", () => {
  const database = useDatabase();
  const everything = { after: 0, limit: 1_000 };
  const aLedger = async ({ isOrdered = false } = {}): Promise<number> => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, is_ordered: isOrdered });
    await fillDeliveries(database.db, id, { state: "pending", count: 4, keys: 1 });
    return id;
  };
  const change = (id: number, sequence: number, columns: object) =>
    database.db("deliveries").where({ subscription_id: id, sequence }).update(columns);
  const waitsOf = async (id: number) =>
    (
      await rowsOf<{ waits_for: number | null }>(
        database.db,
        "SELECT waits_for FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
        [id],
      )
    ).map((row) => row.waits_for);

  it("keeps successors of a delivery without a first attempt waiting", async () => {
    for (const state of ["pending", "queued", "sending", "paused"]) {
      const id = await aLedger();
      await change(id, 1, { state });
      expect(await releaseStuckSuccessors(database.db, id, everything)).to.deep.equal({
        released: 0,
        next: undefined,
      });
      expect(await waitsOf(id)).to.deep.equal([null, 1, 2, 3]);
    }
  });

  it("releases the successor of an ended delivery, and no other", async () => {
    for (const state of ["delivered", "dead", "cancelled"]) {
      const id = await aLedger({ isOrdered: true });
      await change(id, 1, { state });
      expect((await releaseStuckSuccessors(database.db, id, everything)).released).to.equal(1);
      expect(await waitsOf(id)).to.deep.equal([null, null, 2, 3]);
    }
  });

  it("lets the successor of an ended delivery wait for an older one that is live", async () => {
    const id = await aLedger({ isOrdered: true });
    await change(id, 1, { state: "retry", attempts: 1 });
    await change(id, 2, { state: "cancelled", waits_for: null });
    await releaseStuckSuccessors(database.db, id, everything);
    expect(await waitsOf(id)).to.deep.equal([null, null, 1, 3]);
  });

  it("releases the successor of a missing delivery", async () => {
    const id = await aLedger({ isOrdered: true });
    await database.db("deliveries").where({ subscription_id: id, sequence: 1 }).delete();
    expect((await releaseStuckSuccessors(database.db, id, everything)).released).to.equal(1);
    expect(await waitsOf(id)).to.deep.equal([null, 2, 3]);
  });

  it("releases a paused successor, so that it can be resumed", async () => {
    const id = await aLedger();
    await change(id, 1, { state: "cancelled" });
    await change(id, 2, { state: "paused" });
    expect((await releaseStuckSuccessors(database.db, id, everything)).released).to.equal(1);
  });

  it("releases the successor of a failed attempt unless the subscription is ordered", async () => {
    const ordered = await aLedger({ isOrdered: true });
    const unordered = await aLedger();
    await change(ordered, 1, { state: "retry", attempts: 1 });
    await change(unordered, 1, { state: "retry", attempts: 1 });
    expect((await releaseStuckSuccessors(database.db, ordered, everything)).released).to.equal(0);
    expect((await releaseStuckSuccessors(database.db, unordered, everything)).released).to.equal(1);
    expect(await waitsOf(unordered)).to.deep.equal([null, null, 2, 3]);
  });

  it("works in batches, and returns where the next one starts", async () => {
    const id = await aLedger();
    await change(id, 3, { state: "dead", waits_for: null });
    const first = await releaseStuckSuccessors(database.db, id, { after: 0, limit: 1 });
    expect(first).to.deep.equal({ released: 0, next: 1 });
    const second = await releaseStuckSuccessors(database.db, id, { after: 1, limit: 5 });
    expect(second).to.deep.equal({ released: 1, next: undefined });
  });

  it("skips locked rows", async () => {
    const id = await aLedger();
    await change(id, 1, { state: "cancelled" });
    const holder = await database.db.transaction();
    await rowsOf(holder, "SELECT 1 FROM deliveries WHERE subscription_id = ? FOR UPDATE", [id]);
    expect((await releaseStuckSuccessors(database.db, id, everything)).released).to.equal(0);
    await holder.rollback();
    expect((await releaseStuckSuccessors(database.db, id, everything)).released).to.equal(1);
  });

  it("does not change other subscriptions", async () => {
    const id = await aLedger();
    const other = await aLedger();
    await change(other, 1, { state: "dead" });
    await releaseStuckSuccessors(database.db, id, everything);
    expect(await waitsOf(other)).to.deep.equal([null, 1, 2, 3]);
  });

  it("reads only one batch, by index", async function () {
    this.timeout(30_000);
    const id = await aLedger();
    await fillDeliveries(database.db, id, { state: "delivered", count: 20_000, keys: 500 });
    await fillDeliveries(database.db, id, { state: "pending", count: 20_000, keys: 500 });
    await rowsOf(database.db, "ANALYZE subscriptions, deliveries");
    expect(await listBlockedSubscriptions(database.db)).to.include(id);
    const plan = await explain(database.db, async (db) => {
      await listBlockedSubscriptions(db);
      await releaseStuckSuccessors(db, id, { after: 0, limit: 500 });
    });
    expect(plan).to.include("deliveries_waiting");
    expect(plan).to.not.match(/Seq Scan on deliveries/u);
    expect(mostRead(plan)).to.be.lessThan(1_000);
  });
});
