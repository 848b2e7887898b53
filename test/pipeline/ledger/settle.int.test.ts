import { expect } from "chai";
import type { OperationalNotice } from "../../../src/pipeline/ledger/notices.ts";
import type { Settlement } from "../../../src/pipeline/ledger/record-results.ts";
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

describe("settling", () => {
  const database = useDatabase();

  const aSubscriptionWith = async (keys: readonly string[], columns: object = {}) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const subscription = await aSubscription(database.db, {
      enterprise_id,
      filters: ["*"],
      ...columns,
    });
    for (const key of keys) {
      await anEvent(database.db, { enterprise_id, key });
    }
    return subscription;
  };
  const attemptsOf = (deliveryId: number) =>
    rowsOf<{ number: number; status: number }>(
      database.db,
      "SELECT number, status FROM attempts WHERE delivery_id = ? ORDER BY id",
      [deliveryId],
    );

  it("stores the state and one attempt, however often it is repeated", async () => {
    const { id } = await aSubscriptionWith(["a"]);
    const [claimed] = await claimAll(database.db, await fanOutAll(database.db));
    expect(claimed).to.not.equal(undefined);
    const settlement = aSettlement(claimed!);
    const first = await settleAll(database.db, [settlement]);
    const second = await settleAll(database.db, [settlement]);
    expect(first.accepted).to.deep.equal([true]);
    expect(second.accepted).to.deep.equal([false]);
    expect((await readLedger(database.db, id))[0]).to.include({ state: "delivered", attempts: 1 });
    expect(await attemptsOf(claimed!.deliveryId)).to.deep.equal([{ number: 1, status: 200 }]);
  });

  it("refuses the late result of a worker that lost its lease", async () => {
    const { id } = await aSubscriptionWith(["a"]);
    const [claimed] = await claimAll(database.db, await fanOutAll(database.db));
    await rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'queued', generation = generation + 1 WHERE id = ?",
      [claimed!.deliveryId],
    );
    const { accepted } = await settleAll(database.db, [aSettlement(claimed!)]);
    expect(accepted).to.deep.equal([false]);
    expect((await readLedger(database.db, id))[0]).to.include({ state: "queued", attempts: 0 });
    expect(await attemptsOf(claimed!.deliveryId)).to.deep.equal([]);
  });

  it("releases the next delivery of the object after a success", async () => {
    await aSubscriptionWith(["a", "a", "b"]);
    const enqueuedJobs = await fanOutAll(database.db);
    expect(enqueuedJobs).to.have.length(2);
    const claimed = await claimAll(database.db, enqueuedJobs);
    const result = await settleAll(database.db, [aSettlement(claimed[0]!)]);
    expect(result.enqueued).to.have.length(1);
  });

  it("releases it after a failed first attempt too, unless the subscription is ordered", async () => {
    for (const isOrdered of [false, true]) {
      const { id } = await aSubscriptionWith(["a", "a"], { is_ordered: isOrdered });
      const claimed = await claimAll(database.db, await fanOutAll(database.db));
      const dueAt = new Date(Date.now() + 5_000);
      const failed = aSettlement(claimed[0]!, { state: "retry", dueAt });
      const { enqueued } = await settleAll(database.db, [failed]);
      expect(enqueued).to.have.length(isOrdered ? 0 : 1);
      const rows = await readLedger(database.db, id);
      expect(rows.map((row) => row.state)).to.deep.equal([
        "retry",
        isOrdered ? "pending" : "queued",
      ]);
      // A dead delivery blocks no successor.
      const later = openLimits(new Date(dueAt.getTime() + 1));
      if (isOrdered) {
        await rowsOf(
          database.db,
          "UPDATE deliveries SET state = 'sending', generation = 2 WHERE id = ?",
          [claimed[0]!.deliveryId],
        );
        const dead = aSettlement({ ...claimed[0]!, generation: 2 }, { state: "dead" });
        expect((await settleAll(database.db, [dead], later)).enqueued).to.have.length(1);
      }
    }
  });

  it("stores an answer with characters that Postgres text refuses", async () => {
    await aSubscriptionWith(["a"]);
    const [claimed] = await claimAll(database.db, await fanOutAll(database.db));
    const settlement = aSettlement(claimed!);
    const { accepted } = await settleAll(database.db, [
      { ...settlement, record: { ...settlement.record, responseBody: "a\u0000b" } },
    ]);
    expect(accepted).to.deep.equal([true]);
  });

  it("throttles the whole subscription if the receiver asks for it", async () => {
    const { id } = await aSubscriptionWith(["a", "b", "c"]);
    const claimed = await claimAll(database.db, (await fanOutAll(database.db)).slice(0, 1));
    const dueAt = new Date(Date.now() + 60_000);
    const throttled = aSettlement(claimed[0]!, {
      state: "retry",
      dueAt,
      congested: true,
      throttleMs: 60_000,
    });
    await settleAll(database.db, [throttled]);
    const [health] = await rowsOf<{ window_size: number; failing_since: Date | null }>(
      database.db,
      "SELECT window_size, failing_since FROM subscription_health WHERE subscription_id = ?",
      [id],
    );
    expect(health?.window_size).to.equal(4);
    expect(health?.failing_since).to.be.instanceOf(Date);
    await rowsOf(database.db, "UPDATE deliveries SET state = 'pending' WHERE state = 'queued'");
    const now = new Date();
    const { enqueued: none } = await settleAll(
      database.db,
      [aSettlement(claimed[0]!)],
      openLimits(now),
    );
    expect(none).to.deep.equal([]);
    const after = openLimits(new Date(now.getTime() + 61_000));
    const { enqueued } = await settleAll(database.db, [aSettlement(claimed[0]!)], after);
    expect(enqueued.length).to.be.greaterThan(0);
  });

  it("requeues queued and unclaimed deliveries when the subscription is throttled", async () => {
    const { id } = await aSubscriptionWith(["a", "b", "c", "d"]);
    const jobs = await fanOutAll(database.db);
    const [claimed] = await claimAll(database.db, jobs.slice(0, 1));
    const dueAt = new Date(Date.now() + 3_600_000);
    const wait = { state: "retry", dueAt, throttleMs: 3_600_000 } as const;
    const { enqueued } = await settleAll(database.db, [aSettlement(claimed!, wait)]);
    expect(enqueued).to.deep.equal([]);
    expect((await readLedger(database.db, id)).map((row) => row.state)).to.deep.equal([
      "retry",
      "pending",
      "pending",
      "pending",
    ]);
    expect(await claimAll(database.db, jobs.slice(1))).to.deep.equal([]);
  });

  describe("notices", () => {
    const failed = { status: 500, failure: null };
    const settleWithNotices = async (settlements: readonly Settlement[]) => {
      const events: OperationalNotice[] = [];
      const result = await settleAll(
        database.db,
        settlements,
        openLimits(),
        async (_trx, notices) => {
          events.push(...notices);
        },
      );
      return { events, ...result };
    };

    it("report a dead delivery with its event and its last result", async () => {
      const subscription = await aSubscriptionWith(["a"]);
      const [claimed] = await claimAll(database.db, await fanOutAll(database.db));
      const settlement = aSettlement(claimed!, { state: "dead" });
      const { events: notified } = await settleWithNotices([
        { ...settlement, record: { ...settlement.record, ...failed } },
      ]);
      expect(notified).to.have.length(1);
      expect(notified[0]).to.include({
        kind: "delivery.dead",
        enterpriseId: subscription.enterprise_id,
        subscriptionId: subscription.id,
        deliveryId: claimed!.deliveryId,
        sequence: 1,
        eventId: claimed!.eventId,
        object: "ticket",
        attempts: 1,
        lastResult: "5xx",
      });
      expect((await settleWithNotices([settlement])).events).to.deep.equal([]);
    });

    it("report the recovery of a warned subscription, once", async () => {
      const { id } = await aSubscriptionWith(["a", "b"]);
      await rowsOf(
        database.db,
        `UPDATE subscription_health SET failing_since = now() - interval '25 hours',
           warned_at = now() WHERE subscription_id = ?`,
        [id],
      );
      const claimed = await claimAll(database.db, await fanOutAll(database.db));
      const first = await settleWithNotices([aSettlement(claimed[0]!)]);
      expect(first.events.map(({ kind }) => kind)).to.deep.equal(["subscription.recovered"]);
      const second = await settleWithNotices([aSettlement(claimed[1]!)]);
      expect(second.events).to.deep.equal([]);
    });

    it("are written in the same transaction: if they fail, nothing is settled", async () => {
      const { id } = await aSubscriptionWith(["a"]);
      const [claimed] = await claimAll(database.db, await fanOutAll(database.db));
      const refused = await settleAll(
        database.db,
        [aSettlement(claimed!, { state: "dead" })],
        openLimits(),
        () => Promise.reject(new Error("no room")),
      ).catch((thrown: unknown) => thrown);
      expect(refused).to.be.an("error");
      expect((await readLedger(database.db, id))[0]).to.include({ state: "sending", attempts: 0 });
    });
  });

  it("requeues queued deliveries when the circuit opens", async () => {
    const { id } = await aSubscriptionWith(["a", "b", "c"]);
    await rowsOf(
      database.db,
      `UPDATE subscription_health SET failing_since = now() - interval '1 minute',
         failures_in_row = 9 WHERE subscription_id = ?`,
      [id],
    );
    const jobs = await fanOutAll(database.db);
    const [claimed] = await claimAll(database.db, jobs.slice(0, 1));
    const settlement = aSettlement(claimed!, { state: "retry", dueAt: new Date(0) });
    const result = await settleAll(database.db, [
      { ...settlement, record: { ...settlement.record, status: 500 } },
    ]);
    expect(result.enqueued).to.deep.equal([]);
    expect(result.circuits).to.deep.equal({ opened: [id], closed: [] });
    const states = (await readLedger(database.db, id)).map(({ state }) => state);
    expect(states).to.deep.equal(["retry", "pending", "pending"]);
    expect(await claimAll(database.db, jobs.slice(1))).to.deep.equal([]);
  });
});
