import { expect } from "chai";
import { claimDeliveries } from "../../../src/pipeline/ledger/claim.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { claimAll, fanOutAll } from "../../support/ledger.ts";

describe("claiming", () => {
  const database = useDatabase();
  const lease = () => ({ now: new Date(), leaseMs: 60_000 });

  const aJob = async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const subscription = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    const event = await anEvent(database.db, { enterprise_id });
    const [job] = await fanOutAll(database.db);
    return { job: job!, subscription, event };
  };

  it("gives a delivery to one of many concurrent workers", async () => {
    const { job: example, event } = await aJob();
    const results = await Promise.all(
      Array.from({ length: 8 }, () => claimDeliveries(database.db, [example], lease())),
    );
    const winners = results.flat().filter((claimed) => claimed !== undefined);
    expect(winners).to.have.length(1);
    expect(winners[0]).to.include({ attempt: 1, eventId: event.event_id, sequence: 1 });
  });

  it("claims a job that occurs twice in a batch once", async () => {
    const { job: queuedJob } = await aJob();
    const claimed = await claimDeliveries(database.db, [queuedJob, queuedJob], lease());
    expect(claimed.filter((one) => one !== undefined)).to.have.length(1);
  });

  it("claims deliveries of old and new events together", async () => {
    const [old, fresh] = [await aJob(), await aJob()];
    await rowsOf(
      database.db,
      `WITH moved AS (
         UPDATE events SET occurred_at = occurred_at - interval '20 days' WHERE id = ?
         RETURNING id, occurred_at)
       UPDATE deliveries d SET event_at = moved.occurred_at FROM moved WHERE d.event_row_id = moved.id`,
      [old.event.id],
    );
    const claimed = await claimDeliveries(database.db, [old.job, fresh.job], lease());
    expect(claimed.map((one) => one?.eventId)).to.deep.equal([
      old.event.event_id,
      fresh.event.event_id,
    ]);
  });

  it("refuses a job with an earlier or later generation", async () => {
    const { job } = await aJob();
    for (const generation of [job.generation - 1, job.generation + 1]) {
      expect(await claimAll(database.db, [{ ...job, generation }])).to.deep.equal([]);
    }
    expect(await claimAll(database.db, [job])).to.have.length(1);
  });

  it("refuses deliveries of a subscription that is off", async () => {
    const { job, subscription } = await aJob();
    await rowsOf(database.db, "UPDATE subscriptions SET is_active = false WHERE id = ?", [
      subscription.id,
    ]);
    expect(await claimAll(database.db, [job])).to.deep.equal([]);
  });

  it("refuses deliveries of a throttled subscription", async () => {
    const { job, subscription } = await aJob();
    const now = new Date();
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET throttled_until = ? WHERE subscription_id = ?",
      [new Date(now.getTime() + 1_000), subscription.id],
    );
    expect(await claimAll(database.db, [job], { now, leaseMs: 1_000 })).to.deep.equal([]);
    const later = { now: new Date(now.getTime() + 1_000), leaseMs: 1_000 };
    expect(await claimAll(database.db, [job], later)).to.have.length(1);
  });

  it("does not refuse what is under way, although its subscription is off and throttled", async () => {
    const { job, subscription } = await aJob();
    await rowsOf(
      database.db,
      `WITH health AS (
         UPDATE subscription_health SET throttled_until = now() + interval '1 hour'
         WHERE subscription_id = ?)
       UPDATE subscriptions SET is_active = false WHERE id = ?`,
      [subscription.id, subscription.id],
    );
    expect(await claimAll(database.db, [job])).to.deep.equal([]);
    expect(await claimAll(database.db, [{ ...job, isUnderWay: true }])).to.have.length(1);
    expect(await claimAll(database.db, [{ ...job, isUnderWay: true }])).to.deep.equal([]);
  });

  it("marks deliveries of replays", async () => {
    const { job, subscription } = await aJob();
    const [replay] = await rowsOf<{ id: number }>(
      database.db,
      `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
         last_sequence, last_event_row_id, created_at)
       VALUES (?, ?, 'running', '{}', 1, 'deliveries', 0, 0, now()) RETURNING id`,
      [subscription.enterprise_id, subscription.id],
    );
    const again = await aJob();
    await rowsOf(database.db, "UPDATE deliveries SET replay_id = ? WHERE id = ?", [
      replay?.id,
      job.deliveryId,
    ]);
    const claimed = await claimAll(database.db, [job, again.job]);
    expect(claimed.map(({ isReplay }) => isReplay)).to.deep.equal([true, false]);
  });
});
