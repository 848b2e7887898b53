import { expect } from "chai";
import { claimDeliveries } from "../../../src/pipeline/ledger/claim.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import {
  cancelRedacted,
  cancelDeliveriesOf,
  redactResponses,
} from "../../../src/pipeline/ledger/redact.ts";
import { releaseStuckSuccessors } from "../../../src/pipeline/ledger/release-successors.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { refusal } from "../../support/refusal.ts";
import { whileRefused } from "../../support/refused-statements.ts";
import { untilWaiting } from "../../support/waiting.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import {
  aSettlement,
  claimAll,
  fanOutAll,
  openLimits,
  readLedger,
  settleAll,
} from "../../support/ledger.ts";

describe("cancelling the deliveries of a redacted event", () => {
  const database = useDatabase();

  const setUp = async (isOrdered = false) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, is_ordered: isOrdered });
    return { enterprise_id, subscription: id };
  };
  const empty = (eventRowId: number) =>
    rowsOf(database.db, "UPDATE events SET body = '', expunged_at = now() WHERE id = ?", [
      eventRowId,
    ]);
  const end = (eventRowId: number) =>
    inTransaction(database.db, (trx) => cancelDeliveriesOf(trx, eventRowId, new Date()));
  const stateOf = async (subscription: number) =>
    (await readLedger(database.db, subscription)).map(({ state }) => state);
  const setState = (subscription: number, state: string) =>
    rowsOf(
      database.db,
      "UPDATE deliveries SET state = ?, attempts = CASE WHEN ? = 'retry' THEN 1 ELSE 0 END WHERE subscription_id = ?",
      [state, state, subscription],
    );
  const attemptsOf = (subscription: number) =>
    rowsOf(
      database.db,
      `SELECT a.number, a.is_counted, a.failure, a.response_body FROM attempts a
       JOIN deliveries d ON d.id = a.delivery_id WHERE d.subscription_id = ? ORDER BY a.id`,
      [subscription],
    );

  for (const state of ["pending", "queued", "retry", "paused"]) {
    it(`cancels one that is ${state}, and refuses the job that may be under way for it`, async () => {
      const { enterprise_id, subscription } = await setUp();
      const event = await anEvent(database.db, { enterprise_id });
      const jobs = await fanOutAll(database.db);
      await setState(subscription, state);
      expect(await end(event.id)).to.deep.equal({ cancelled: 1, underWay: 0 });
      const [row] = await rowsOf(
        database.db,
        `SELECT state, end_reason, ended_at IS NOT NULL AS ended, waits_for, last_result
         FROM deliveries WHERE subscription_id = ?`,
        [subscription],
      );
      expect(row).to.deep.equal({
        state: "cancelled",
        end_reason: "expunged",
        ended: true,
        waits_for: null,
        last_result: null,
      });
      expect(await claimAll(database.db, jobs)).to.deep.equal([]);
      expect(await attemptsOf(subscription)).to.deep.equal([]);
      expect(await end(event.id)).to.deep.equal({ cancelled: 0, underWay: 0 });
    });
  }

  for (const state of ["delivered", "dead", "cancelled", "available"]) {
    it(`does not change one that is ${state}`, async () => {
      const { enterprise_id, subscription } = await setUp();
      const event = await anEvent(database.db, { enterprise_id });
      await fanOutAll(database.db);
      await setState(subscription, state);
      expect(await end(event.id)).to.deep.equal({ cancelled: 0, underWay: 0 });
      expect(await stateOf(subscription)).to.deep.equal([state]);
    });
  }

  it("refuses the result of a delivery in flight, so that no response is stored", async () => {
    const { enterprise_id, subscription } = await setUp();
    const event = await anEvent(database.db, { enterprise_id });
    const claimed = await claimAll(database.db, await fanOutAll(database.db));
    expect(await end(event.id)).to.deep.equal({ cancelled: 1, underWay: 1 });
    const { accepted } = await settleAll(
      database.db,
      claimed.map((one) => aSettlement(one)),
    );
    expect(accepted).to.deep.equal([false]);
    expect(await stateOf(subscription)).to.deep.equal(["cancelled"]);
    expect(await attemptsOf(subscription)).to.deep.equal([
      { number: 1, is_counted: false, failure: "interrupted", response_body: null },
    ]);
  });

  it("releases the next delivery of the object", async () => {
    const { enterprise_id, subscription } = await setUp(true);
    const first = await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    await fanOutAll(database.db);
    expect((await readLedger(database.db, subscription))[1]?.waits_for).to.equal(1);
    await end(first.id);
    const [, second] = await readLedger(database.db, subscription);
    expect(second).to.deep.include({ waits_for: null, state: "pending" });
  });

  it("keeps the order of an object: a successor then waits for the predecessor", async () => {
    const { enterprise_id, subscription } = await setUp(true);
    await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    const second = await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    await fanOutAll(database.db);
    await end(second.id);
    const rows = await readLedger(database.db, subscription);
    expect(rows.map(({ state, waits_for }) => [state, waits_for])).to.deep.equal([
      ["queued", null],
      ["cancelled", null],
      ["pending", 1],
    ]);
  });

  it("removes an event from the outbox", async () => {
    const { enterprise_id, subscription } = await setUp();
    const event = await anEvent(database.db, { enterprise_id });
    await rowsOf(
      database.db,
      `INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason)
       VALUES (?, now(), ?, 'broken')`,
      [event.id, enterprise_id],
    );
    await end(event.id);
    await fanOutAll(database.db);
    expect(await stateOf(subscription)).to.deep.equal([]);
    expect(await rowsOf(database.db, "SELECT 1 FROM outbox_dead")).to.deep.equal([]);
  });

  it("waits for a relay that has locked the event, and cancels its deliveries", async () => {
    const { enterprise_id, subscription } = await setUp();
    const event = await anEvent(database.db, { enterprise_id });
    const relay = await database.db.transaction();
    await rowsOf(relay, "DELETE FROM outbox WHERE event_row_id = ?", [event.id]);
    await rowsOf(
      relay,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at)
       VALUES (?, ?, 1, ?, ?, 'ticket', ?, 'pending', now())`,
      [enterprise_id, subscription, event.id, event.occurred_at, event.key],
    );
    const ending = end(event.id);
    await rowsOf(database.db, "SELECT pg_sleep(0.1)");
    await relay.commit();
    expect(await ending).to.deep.equal({ cancelled: 1, underWay: 0 });
    expect(await stateOf(subscription)).to.deep.equal(["cancelled"]);
  });

  it("cancels what a relay creates that has read the event before, and sends nothing", async () => {
    const { enterprise_id, subscription } = await setUp(true);
    const event = await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    await anEvent(database.db, { enterprise_id, key: "ticket:9" });
    const held = await database.db.transaction();
    await lockHealth(held, [subscription]);
    const relayed = fanOutAll(database.db, { ...openLimits(), reservedMs: 3_000 });
    await untilWaiting(database.db);
    await empty(event.id);
    expect(await end(event.id)).to.deep.equal({ cancelled: 0, underWay: 0 });
    await held.commit();
    expect(await relayed).to.deep.equal([]);
    const rows = await rowsOf(
      database.db,
      `SELECT sequence, state, end_reason, generation, waits_for, lease_until FROM deliveries
       WHERE subscription_id = ? ORDER BY sequence`,
      [subscription],
    );
    const common = { generation: 0, lease_until: null };
    expect(rows).to.deep.equal([
      { sequence: 1, state: "cancelled", end_reason: "expunged", waits_for: null, ...common },
      { sequence: 2, state: "pending", end_reason: null, waits_for: 1, ...common },
    ]);
    const range = { after: 0, limit: 10 };
    const { released } = await releaseStuckSuccessors(database.db, subscription, range);
    expect(released).to.equal(1);
  });

  it("removes the stored responses, including those of replays", async () => {
    const { enterprise_id, subscription } = await setUp();
    const event = await anEvent(database.db, { enterprise_id });
    await anEvent(database.db, { enterprise_id });
    const claimed = await claimAll(database.db, await fanOutAll(database.db));
    await settleAll(
      database.db,
      claimed.map((one) => aSettlement(one)),
    );
    await rowsOf(
      database.db,
      `WITH replay AS (
         INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
           last_sequence, last_event_row_id, created_at)
         VALUES (?, ?, 'done', '{}', 10, 'events', 0, 0, now()) RETURNING id
       ), again AS (
         INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
           key, state, due_at, replay_id)
         SELECT enterprise_id, subscription_id, 3, event_row_id, event_at, object, key, 'dead', now(),
           replay.id
         FROM deliveries, replay WHERE event_row_id = ? RETURNING id, enterprise_id
       )
       INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, response_headers)
       SELECT enterprise_id, now(), id, 1, 1, '{"x-echo": "content"}' FROM again`,
      [enterprise_id, subscription, event.id],
    );
    const input = { eventRowId: event.id, occurredAt: event.occurred_at };
    const forget = () => inTransaction(database.db, (trx) => redactResponses(trx, input));
    expect(await forget()).to.equal(2);
    expect(await forget()).to.equal(0);
    const kept = await rowsOf(
      database.db,
      `SELECT d.sequence, a.response_body, a.response_headers FROM attempts a
       JOIN deliveries d ON d.id = a.delivery_id WHERE d.subscription_id = ? ORDER BY d.sequence`,
      [subscription],
    );
    expect(kept).to.deep.equal([
      { sequence: 1, response_body: null, response_headers: null },
      { sequence: 2, response_body: "ok", response_headers: { "content-type": "text/plain" } },
      { sequence: 3, response_body: null, response_headers: null },
    ]);
  });

  it("happens later for a delivery created from an event without content", async () => {
    const { enterprise_id, subscription } = await setUp();
    const event = await anEvent(database.db, { enterprise_id });
    await anEvent(database.db, { enterprise_id });
    const failureHints = await fanOutAll(database.db);
    await empty(event.id);
    const claims = await claimDeliveries(database.db, failureHints, {
      now: new Date(),
      leaseMs: 60_000,
    });
    expect(claims.map((one) => one?.sequence)).to.deep.equal([undefined, 2]);
    expect(await cancelRedacted(database.db, new Date())).to.equal(1);
    expect(await stateOf(subscription)).to.deep.equal(["cancelled", "sending"]);
    expect(await cancelRedacted(database.db, new Date())).to.equal(0);
  });

  it("happens later for a delivery whose event was dropped with its partition", async () => {
    const { enterprise_id, subscription } = await setUp();
    const event = await anEvent(database.db, { enterprise_id });
    await anEvent(database.db, { enterprise_id });
    await fanOutAll(database.db);
    await rowsOf(database.db, "DELETE FROM events WHERE id = ?", [event.id]);
    expect(await cancelRedacted(database.db, new Date())).to.equal(1);
    expect(await stateOf(subscription)).to.deep.equal(["cancelled", "queued"]);
    expect(await cancelRedacted(database.db, new Date())).to.equal(0);
  });

  it("happens later for every delivery that it can change, even if another one fails", async () => {
    const broken = await setUp();
    const { enterprise_id, subscription } = await setUp();
    const events = [
      await anEvent(database.db, { enterprise_id: broken.enterprise_id }),
      await anEvent(database.db, { enterprise_id }),
    ];
    await fanOutAll(database.db);
    for (const { id } of events) {
      await empty(id);
    }
    const when = `OLD.subscription_id = ${broken.subscription}`;
    await whileRefused(database.db, { statement: "UPDATE ON deliveries", when }, async () => {
      expect(await refusal(cancelRedacted(database.db, new Date()))).to.equal("P0001");
    });
    expect(await stateOf(broken.subscription)).to.deep.equal(["queued"]);
    expect(await stateOf(subscription)).to.deep.equal(["cancelled"]);
    expect(await cancelRedacted(database.db, new Date())).to.equal(1);
  });
});
