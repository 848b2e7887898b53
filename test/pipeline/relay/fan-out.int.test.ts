import { expect } from "chai";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import { createSubscriptionSet } from "../../../src/pipeline/relay/subscription-rules.ts";
import { recordRevision, takeRevision } from "../../../src/pipeline/ledger/revisions.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

describe("fanning out", () => {
  const database = useDatabase();
  const setUp = async (columns: object = {}) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const subscription = await aSubscription(database.db, {
      enterprise_id,
      filters: ["*"],
      ...columns,
    });
    return { enterprise_id, id: subscription.id };
  };
  const change = (id: number, columns: Record<string, unknown>) =>
    inTransaction(database.db, async (trx) => {
      const revision = await takeRevision(trx);
      await trx("subscriptions").where({ id }).update(columns);
      await recordRevision(trx, id, revision, { reason: null, changedBy: null });
    });
  const outboxRows = async () =>
    (await rowsOf<{ count: number }>(database.db, "SELECT count(*) AS count FROM outbox"))[0]
      ?.count;

  it("inserts a delivery for every matching subscription, and no other", async () => {
    const { enterprise_id, id } = await setUp();
    const tickets = await aSubscription(database.db, { enterprise_id, filters: ["ticket.*"] });
    const nothing = await aSubscription(database.db, { enterprise_id, filters: [] });
    const stranger = await setUp();
    await anEvent(database.db, { enterprise_id, object: "media" });
    await anEvent(database.db, { enterprise_id });
    await fanOutAll(database.db);
    expect(await readLedger(database.db, id)).to.have.length(2);
    expect(await readLedger(database.db, tickets.id)).to.have.length(1);
    expect(await readLedger(database.db, nothing.id)).to.have.length(0);
    expect(await readLedger(database.db, stranger.id)).to.have.length(0);
    expect(await outboxRows()).to.equal(0);
  });

  it("numbers the deliveries of a subscription contiguously, across batches and rollbacks", async () => {
    const { enterprise_id, id } = await setUp();
    const set = createSubscriptionSet();
    for (let batch = 0; batch < 3; batch += 1) {
      await anEvent(database.db, { enterprise_id });
      await anEvent(database.db, { enterprise_id });
      await fanOut(database.db, set, { limit: 1, afterEventRowId: 0 }, openLimits());
      await inTransaction(database.db, async (trx) => {
        await trx.raw("UPDATE subscription_health SET last_sequence = last_sequence + 1");
        throw new Error("rolled back");
      }).catch(() => undefined);
      await fanOut(database.db, set, { limit: 1, afterEventRowId: 0 }, openLimits());
    }
    const sequences = (await readLedger(database.db, id)).map((row) => row.sequence);
    expect(sequences).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it("enqueues one delivery per object at a time, within the concurrency window", async () => {
    const { enterprise_id, id } = await setUp();
    for (let i = 0; i < 12; i += 1) {
      await anEvent(database.db, { enterprise_id });
      await anEvent(database.db, { enterprise_id, key: "ticket:same" });
    }
    const enqueued = await fanOutAll(database.db);
    const rows = await readLedger(database.db, id);
    expect(enqueued).to.have.length(8);
    const same = rows.filter((row) => row.key === "ticket:same");
    expect(same.filter((row) => row.state === "queued")).to.have.length(1);
    expect(same.slice(1).map((row) => row.waits_for)).to.deep.equal(
      same.slice(0, -1).map((row) => row.sequence),
    );
  });

  it("says which deliveries a result may let go: none of a receiver that gets nothing", async () => {
    const { enterprise_id, id } = await setUp();
    const set = createSubscriptionSet();
    const fanOutOne = async (): Promise<boolean> => {
      await anEvent(database.db, { enterprise_id, key: "ticket:a" });
      return (await fanOut(database.db, set, { limit: 1, afterEventRowId: 0 }, openLimits()))
        .hasPending;
    };
    expect(await fanOutOne(), "queued").to.equal(false);
    expect(await fanOutOne(), "behind it").to.equal(true);
    const health = database.db("subscription_health").where({ subscription_id: id });
    await health.clone().update({ probe_at: new Date() });
    expect(await fanOutOne(), "open circuit").to.equal(false);
    await health.clone().update({ probe_at: null, throttled_until: new Date(Date.now() + 60_000) });
    expect(await fanOutOne(), "pause").to.equal(false);
  });

  it("keeps the order of an object across batches", async () => {
    const { enterprise_id, id } = await setUp();
    await anEvent(database.db, { enterprise_id, key: "ticket:7" });
    await fanOutAll(database.db);
    await anEvent(database.db, { enterprise_id, key: "ticket:7" });
    expect(await fanOutAll(database.db)).to.deep.equal([]);
    expect((await readLedger(database.db, id))[1]).to.include({ waits_for: 1, state: "pending" });
  });

  it("matches by the settings at the time of the event", async () => {
    const { enterprise_id, id } = await setUp();
    const late = await setUp({ is_active: false });
    await anEvent(database.db, { enterprise_id });
    await anEvent(database.db, { enterprise_id: late.enterprise_id });
    await change(id, { is_active: false });
    await change(late.id, { is_active: true });
    await fanOutAll(database.db);
    expect((await readLedger(database.db, id)).map((row) => row.state)).to.deep.equal(["paused"]);
    expect(await readLedger(database.db, late.id)).to.deep.equal([]);
  });

  it("matches an event of any age by its revision", async () => {
    const { enterprise_id, id } = await setUp({
      valid_from: new Date(Date.now() - 96 * 3_600_000),
    });
    await change(id, { name: "a second revision" });
    await change(id, { name: "a third" });
    await anEvent(database.db, {
      enterprise_id,
      occurred_at: new Date(Date.now() - 84 * 3_600_000),
    });
    await fanOutAll(database.db);
    expect(await readLedger(database.db, id)).to.have.length(1);
  });

  it("inserts nothing for a subscription that was deleted since", async () => {
    const { enterprise_id, id } = await setUp();
    await anEvent(database.db, { enterprise_id });
    await change(id, { is_active: false, deleted_at: new Date() });
    await fanOutAll(database.db);
    expect(await readLedger(database.db, id)).to.deep.equal([]);
  });

  it("sees a subscription created after it started", async () => {
    const set = createSubscriptionSet();
    await fanOut(database.db, set, { limit: 10, afterEventRowId: 0 }, openLimits());
    const { enterprise_id, id } = await setUp();
    await anEvent(database.db, { enterprise_id });
    await fanOut(database.db, set, { limit: 10, afterEventRowId: 0 }, openLimits());
    expect(await readLedger(database.db, id)).to.have.length(1);
  });

  it("does nothing while another relay is running, and never fans out twice", async () => {
    const { enterprise_id, id } = await setUp();
    for (let i = 0; i < 50; i += 1) {
      await anEvent(database.db, { enterprise_id });
    }
    const relays = [createSubscriptionSet(), createSubscriptionSet(), createSubscriptionSet()];
    while ((await outboxRows()) !== 0) {
      await Promise.all(
        relays.map((set) =>
          fanOut(database.db, set, { limit: 7, afterEventRowId: 0 }, openLimits()),
        ),
      );
    }
    const sequences = (await readLedger(database.db, id)).map((row) => row.sequence);
    expect(sequences).to.deep.equal(Array.from({ length: 50 }, (_, i) => i + 1));
  });
});
