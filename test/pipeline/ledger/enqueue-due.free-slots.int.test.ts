import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import {
  aSettlement,
  claimAll,
  fanOutAll,
  openLimits,
  readLedger,
  settleAll,
} from "../../support/ledger.ts";

describe("claiming due deliveries for the slots that results free", () => {
  const database = useDatabase();

  /** A claimed delivery, and `waiting` others that are due. */
  const setUp = async (waiting: number, daysAgo = 0) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, {
      enterprise_id,
      filters: ["*"],
      max_in_flight: 1,
      valid_from: new Date(Date.now() - 30 * 86_400_000),
    });
    for (let i = 0; i < waiting + 1; i += 1) {
      await anEvent(database.db, {
        enterprise_id,
        occurred_at: new Date(Date.now() - daysAgo * 86_400_000),
      });
    }
    const [sent] = await claimAll(database.db, await fanOutAll(database.db));
    await rowsOf(database.db, "UPDATE subscriptions SET max_in_flight = NULL WHERE id = ?", [id]);
    return { id, sent: sent! };
  };

  it("claims as many as there are slots, and enqueues the others", async () => {
    const { id, sent } = await setUp(3);
    const limits = { ...openLimits(), slots: { ticket: 2 } };
    const { claimed, enqueued } = await settleAll(database.db, [aSettlement(sent)], limits);
    const rows = await rowsOf<{ id: number; event_id: string; body: string; revision: number }>(
      database.db,
      `SELECT d.id, e.event_id, e.body, s.revision FROM deliveries d
       JOIN events e ON e.id = d.event_row_id JOIN subscriptions s ON s.id = d.subscription_id
       WHERE d.subscription_id = ? ORDER BY d.sequence`,
      [id],
    );
    expect(claimed).to.have.length(2);
    expect(claimed[0]).to.deep.include({
      deliveryId: rows[1]?.id,
      generation: 1,
      subscriptionId: id,
      revision: rows[1]?.revision,
      sequence: 2,
      attempt: 1,
      object: "ticket",
      eventId: rows[1]?.event_id,
      body: rows[1]?.body,
      isReplay: false,
    });
    expect(enqueued.map((job) => job.deliveryId)).to.deep.equal([rows[3]?.id]);
    const states = (await readLedger(database.db, id)).map((row) => row.state);
    expect(states).to.deep.equal(["delivered", "sending", "sending", "queued"]);
    const leases = await rowsOf<{ ok: boolean }>(
      database.db,
      `SELECT lease_until = ?::timestamptz AS ok FROM deliveries
       WHERE subscription_id = ? AND state = 'sending'`,
      [new Date(limits.now.getTime() + limits.leaseMs), id],
    );
    expect(leases).to.deep.equal([{ ok: true }, { ok: true }]);
    const results = claimed.map((one) => aSettlement(one));
    expect((await settleAll(database.db, results)).accepted).to.deep.equal([true, true]);
  });

  it("claims nothing of another kind, nothing old, and nothing without content", async () => {
    for (const [daysAgo, slots, expunged] of [
      [0, { media: 5 }, false],
      [9, { ticket: 5 }, false],
      [0, { ticket: 5 }, true],
    ] as const) {
      const { id, sent } = await setUp(1, daysAgo);
      if (expunged) {
        await rowsOf(
          database.db,
          "UPDATE events SET body = '', expunged_at = now() WHERE id IN (SELECT event_row_id FROM deliveries WHERE subscription_id = ?)",
          [id],
        );
      }
      const limits = { ...openLimits(), slots };
      const { claimed, enqueued } = await settleAll(database.db, [aSettlement(sent)], limits);
      expect([claimed.length, enqueued.length], JSON.stringify(slots)).to.deep.equal([0, 1]);
    }
  });

  it("claims retries with the number of their attempt", async () => {
    const { sent, id } = await setUp(0);
    const failed = aSettlement(sent, { state: "retry", dueAt: new Date(0) });
    const limits = { ...openLimits(), slots: { ticket: 1 } };
    const { claimed } = await settleAll(database.db, [failed], limits);
    expect(claimed.map((one) => [one.attempt, one.generation])).to.deep.equal([[2, 2]]);
    expect((await readLedger(database.db, id))[0]).to.include({ state: "sending", attempts: 1 });
  });
});
