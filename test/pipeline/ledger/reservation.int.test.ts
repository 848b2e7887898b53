import { expect } from "chai";
import { maxFreshBodyBytes } from "../../../src/contracts/jobs.ts";
import { pauseDeliveries } from "../../../src/pipeline/ledger/backlog-states.ts";
import { claimedByJob } from "../../../src/pipeline/delivery/claims.ts";
import type { EnqueuedDelivery } from "../../../src/pipeline/ledger/enqueue-due.ts";
import { maxFreshJobs } from "../../../src/pipeline/ledger/new-deliveries.ts";
import {
  requeue,
  requeueLost,
  requeueSubscriptions,
  requeueUnsent,
} from "../../../src/pipeline/ledger/requeue.ts";
import { reservedMs } from "../../../src/pipeline/ledger/reservation.ts";
import { rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
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

describe("new deliveries that are queued at once", () => {
  const database = useDatabase();
  const now = new Date();
  const limits = { ...openLimits(now), reservedMs };
  const later = new Date(now.getTime() + reservedMs);

  beforeEach(async () => {
    await rowsOf(database.db, "DELETE FROM deliveries");
    await rowsOf(database.db, "DELETE FROM attempts");
  });

  const setUp = async (columns: object = {}, events = 1) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"], ...columns });
    for (let i = 0; i < events; i += 1) {
      await anEvent(database.db, { enterprise_id });
    }
    return { enterprise_id, id };
  };
  const statesOf = async (id: number) =>
    (await readLedger(database.db, id)).map((row) => row.state);
  const inTrx = (work: (trx: Trx) => Promise<unknown>) => inTransaction(database.db, work);

  it("have jobs that carry what a worker sends", async () => {
    const { id } = await setUp();
    const jobs = await fanOutAll(database.db, limits);
    const [row] = await rowsOf<Record<string, unknown>>(
      database.db,
      `SELECT d.id, d.generation, d.state, d.queued_at, d.lease_until, d.sequence, s.revision,
         e.event_id, e.body, e.occurred_at
       FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id
       JOIN events e ON e.id = d.event_row_id WHERE d.subscription_id = ?`,
      [id],
    );
    expect(row).to.deep.include({
      generation: 1,
      state: "queued",
      queued_at: now,
      lease_until: later,
    });
    expect(jobs.map((job) => claimedByJob(job))).to.deep.equal([
      {
        deliveryId: row?.["id"],
        generation: 1,
        subscriptionId: id,
        revision: row?.["revision"],
        sequence: 1,
        attempt: 1,
        object: "ticket",
        eventId: row?.["event_id"],
        body: row?.["body"],
        occurredAt: row?.["occurred_at"],
        isReplay: false,
      },
    ]);
  });

  it("carry no large body, and no reservation", async () => {
    const { enterprise_id, id } = await setUp({}, 0);
    await anEvent(database.db, { enterprise_id, body: `"${"x".repeat(maxFreshBodyBytes)}"` });
    const [job] = await fanOutAll(database.db, limits);
    expect(job).to.include({ generation: 1 }).and.not.to.have.property("fresh");
    const rows = await rowsOf(
      database.db,
      "SELECT lease_until FROM deliveries WHERE subscription_id = ?",
      [id],
    );
    expect(rows).to.deep.equal([{ lease_until: null }]);
  });

  const freshOf = (jobs: readonly EnqueuedDelivery[]) =>
    jobs.filter((job) => job.fresh !== undefined);

  it("stay within the concurrency window", async () => {
    const { id } = await setUp({ max_in_flight: 2 }, 3);
    expect(freshOf(await fanOutAll(database.db, limits))).to.have.length(2);
    expect(await statesOf(id)).to.deep.equal(["queued", "queued", "pending"]);
  });

  it("carry contents only as long as workers can be in time", async () => {
    const webhooks = 11;
    const { enterprise_id, id } = await setUp({}, 100);
    for (let i = 1; i < webhooks; i += 1) {
      await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    }
    await rowsOf(database.db, "UPDATE subscription_health SET window_size = 256");
    const jobs = await fanOutAll(database.db, limits);
    expect(jobs).to.have.length(100 * webhooks);
    expect(freshOf(jobs)).to.have.length(maxFreshJobs);
    const reserved = "SELECT count(*) AS count FROM deliveries WHERE lease_until IS NOT NULL";
    expect(await rowsOf(database.db, reserved)).to.deep.equal([{ count: maxFreshJobs }]);
    expect(new Set(await statesOf(id))).to.deep.equal(new Set(["queued"]));
  });

  it("never overtake what is due, nor exceed a rate limit, nor go to a failing receiver", async () => {
    const { enterprise_id, id } = await setUp({ max_in_flight: 1 }, 2);
    await fanOutAll(database.db, limits);
    await rowsOf(database.db, "UPDATE subscriptions SET max_in_flight = 10 WHERE id = ?", [id]);
    await anEvent(database.db, { enterprise_id });
    expect((await fanOutAll(database.db, limits)).map((job) => job.fresh)).to.deep.equal([
      undefined,
      undefined,
    ]);
    await setUp({ max_per_second: 100 });
    expect(freshOf(await fanOutAll(database.db, limits))).to.deep.equal([]);
    const failing = await setUp();
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET failures_in_row = 1 WHERE subscription_id = ?",
      [failing.id],
    );
    expect(freshOf(await fanOutAll(database.db, limits))).to.deep.equal([]);
    expect(await statesOf(failing.id)).to.deep.equal(["queued"]);
  });

  it("wait in the ledger if their queue accepts no jobs", async () => {
    const { id } = await setUp();
    expect(await fanOutAll(database.db, { ...limits, closed: ["ticket"] })).to.deep.equal([]);
    expect(await statesOf(id)).to.deep.equal(["pending"]);
  });

  it("are not moved until the reservation ends, then by the sweeper first", async () => {
    const { id } = await setUp();
    const jobs = await fanOutAll(database.db, limits);
    const moveAll = async () => {
      await inTrx((trx) => requeue(trx, jobs));
      await inTrx((trx) => requeueSubscriptions(trx, [id]));
      await pauseDeliveries(database.db, id, 10);
    };
    await moveAll();
    await requeueLost(database.db, "ticket", { now, queued: later, reserved: now });
    expect(await statesOf(id)).to.deep.equal(["queued"]);
    // The worker may have sent the request before it died. Only the sweeper records such attempts.
    await rowsOf(database.db, "UPDATE deliveries SET lease_until = now() - interval '1 hour'");
    await moveAll();
    expect(await statesOf(id)).to.deep.equal(["queued"]);
    await requeueLost(database.db, "ticket", { now: later, queued: later, reserved: later });
    await pauseDeliveries(database.db, id, 10);
    expect(await statesOf(id)).to.deep.equal(["paused"]);
  });

  it("are requeued when they are lost, and when their worker may not send them", async () => {
    const { id } = await setUp({}, 2);
    const [first, second] = await fanOutAll(database.db, limits);
    await requeueUnsent(database.db, [first!]);
    expect(await statesOf(id)).to.deep.equal(["pending", "queued"]);
    const lostBefore = { now: later, queued: later, reserved: later };
    expect(await requeueLost(database.db, "ticket", lostBefore)).to.equal(1);
    const interrupted = "SELECT delivery_id AS id, number, failure, is_counted FROM attempts";
    expect(await rowsOf(database.db, interrupted)).to.deep.equal([
      { id: second?.deliveryId, number: 1, failure: "interrupted", is_counted: false },
    ]);
    expect(await claimAll(database.db, [first!, second!])).to.deep.equal([]);
  });

  it("end without a claim, or with one", async () => {
    const { id } = await setUp({}, 2);
    const jobs = await fanOutAll(database.db, limits);
    await claimAll(database.db, jobs.slice(1));
    const settlements = jobs.map((job) => aSettlement(claimedByJob(job)!));
    expect((await settleAll(database.db, settlements)).accepted).to.deep.equal([true, true]);
    expect(await statesOf(id)).to.deep.equal(["delivered", "delivered"]);
    expect((await settleAll(database.db, settlements)).accepted).to.deep.equal([false, false]);
  });
});
