import { expect } from "chai";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import { createSubscriptionSet } from "../../../src/pipeline/relay/subscription-rules.ts";
import { readClockMs, rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { reviseSubscription } from "../../support/explain-api.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

describe("matching the subscriptions of an event", () => {
  const database = useDatabase();
  const body = (props: unknown) =>
    JSON.stringify({ event: "create", time: 1, object: "ticket", objectId: 1, props });
  const done = JSON.stringify({ "props.state": "done" });
  const setUp = async (columns: object = {}) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"], ...columns });
    return { enterprise_id, id };
  };
  /** A revision in the same millisecond as an event would already apply to it. */
  const untilNextMillisecond = async (): Promise<void> => {
    const startMs = await readClockMs(database.db);
    await eventually(async () => (await readClockMs(database.db)) > startMs + 1);
  };
  const keysOf = async (id: number) => (await readLedger(database.db, id)).map((row) => row.key);

  it("inserts a delivery exactly if the payload matches the conditions", async () => {
    const { enterprise_id, id } = await setUp({ conditions: done });
    const other = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await anEvent(database.db, { enterprise_id, key: "a", body: body({ state: "new" }) });
    await anEvent(database.db, { enterprise_id, key: "b", body: body({ state: "done" }) });
    await anEvent(database.db, { enterprise_id, key: "c", body: body({}) });
    await fanOutAll(database.db);
    expect(await keysOf(id)).to.deep.equal(["b"]);
    expect(await keysOf(other.id)).to.deep.equal(["a", "b", "c"]);
    expect((await readLedger(database.db, id))[0]?.sequence).to.equal(1);
  });

  it("uses the conditions that were in force when the event occurred", async () => {
    const { enterprise_id, id } = await setUp({ conditions: done });
    await anEvent(database.db, { enterprise_id, key: "before", body: body({ state: "new" }) });
    await untilNextMillisecond();
    await reviseSubscription(database.db, id, { conditions: null });
    await anEvent(database.db, { enterprise_id, key: "after", body: body({ state: "new" }) });
    await fanOutAll(database.db);
    expect(await keysOf(id)).to.deep.equal(["after"]);
  });

  it("reads no body without a matching subscription that has conditions", async () => {
    const { enterprise_id, id } = await setUp();
    await aSubscription(database.db, { enterprise_id, filters: ["media.*"], conditions: done });
    await anEvent(database.db, { enterprise_id, body: body({}) });
    const statements: string[] = [];
    const hear = ({ sql }: { sql: string }) => statements.push(sql);
    database.db.on("query", hear);
    await fanOutAll(database.db);
    await anEvent(database.db, { enterprise_id, object: "media", body: body({}) });
    const without = statements.filter((sql) => /SELECT body FROM events/u.test(sql)).length;
    await fanOutAll(database.db);
    database.db.removeListener("query", hear);
    expect(without).to.equal(0);
    expect(statements.filter((sql) => /SELECT body FROM events/u.test(sql))).to.have.length(1);
    expect(await readLedger(database.db, id)).to.have.length(2);
  });

  it("sends the event if stored conditions or the body cannot be parsed", async () => {
    const { enterprise_id, id } = await setUp({ conditions: '{"props":{"$where":"1"}}' });
    const second = await aSubscription(database.db, {
      enterprise_id,
      filters: ["*"],
      conditions: done,
    });
    await anEvent(database.db, { enterprise_id, key: "a", body: body({ state: "done" }) });
    await anEvent(database.db, { enterprise_id, key: "b", body: "no json" });
    await fanOutAll(database.db);
    expect(await keysOf(id)).to.deep.equal(["a", "b"]);
    expect(await keysOf(second.id)).to.deep.equal(["a", "b"]);
    const dead = await rowsOf(database.db, "SELECT 1 FROM outbox_dead");
    expect(dead).to.deep.equal([]);
  });

  it("inserts an available delivery for a pull receiver, and never enqueues it", async () => {
    const { enterprise_id, id } = await setUp({ mode: "pull", url: null, is_ordered: true });
    await anEvent(database.db, { enterprise_id, key: "same" });
    await anEvent(database.db, { enterprise_id, key: "same" });
    const set = createSubscriptionSet();
    const range = { limit: 100, afterEventRowId: 0 };
    const { enqueued } = await fanOut(database.db, set, range, openLimits());
    expect(enqueued).to.deep.equal([]);
    await anEvent(database.db, { enterprise_id, key: "same" });
    await untilNextMillisecond();
    await reviseSubscription(database.db, id, { is_active: false });
    await fanOut(database.db, set, range, openLimits());
    const rows = await rowsOf<Record<string, unknown>>(
      database.db,
      `SELECT sequence, state, waits_for, ended_at IS NOT NULL AS is_ended, attempts, end_reason
       FROM deliveries WHERE subscription_id = ? ORDER BY sequence`,
      [id],
    );
    const kept = { state: "available", waits_for: null, is_ended: true, attempts: 0 };
    expect(rows).to.deep.equal(
      [1, 2, 3].map((sequence) => ({ sequence, ...kept, end_reason: null })),
    );
  });

  it("sends events about a subscription to others, never to itself", async () => {
    const { enterprise_id, id } = await setUp({ filters: ["*", "delivery.dead"] });
    const other = await aSubscription(database.db, {
      enterprise_id,
      filters: ["delivery.*", "subscription.*"],
    });
    const key = `subscription:${id}`;
    await anEvent(database.db, { enterprise_id, object: "delivery", event: "dead", key });
    await anEvent(database.db, { enterprise_id, object: "ticket", key });
    await fanOutAll(database.db);
    const objects = async (of: number) =>
      (
        await rowsOf<{ object: string }>(
          database.db,
          "SELECT object FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
          [of],
        )
      ).map((row) => row.object);
    expect(await objects(id)).to.deep.equal(["ticket"]);
    expect(await objects(other.id)).to.deep.equal(["delivery"]);
  });

  it("cancels the deliveries of an event whose content was removed", async () => {
    const { enterprise_id, id } = await setUp({ conditions: done });
    await anEvent(database.db, { enterprise_id, key: "x", body: "", expunged_at: new Date() });
    await anEvent(database.db, { enterprise_id, key: "x", body: body({ state: "done" }) });
    const jobs = await fanOutAll(database.db);
    const rows = await rowsOf<Record<string, unknown>>(
      database.db,
      `SELECT state, end_reason, ended_at IS NOT NULL AS is_ended, waits_for FROM deliveries
       WHERE subscription_id = ? ORDER BY sequence`,
      [id],
    );
    expect(rows).to.deep.equal([
      { state: "cancelled", end_reason: "expunged", is_ended: true, waits_for: null },
      { state: "queued", end_reason: null, is_ended: false, waits_for: null },
    ]);
    expect(jobs).to.have.length(1);
  });
});
