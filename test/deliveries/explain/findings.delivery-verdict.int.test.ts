import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { aReplay, reviseSubscription, stampOf, useExplainApi } from "../../support/explain-api.ts";
import type { EventRow } from "../../support/factories.ts";
import { fanOutAll } from "../../support/ledger.ts";

describe("explaining a delivery", () => {
  const database = useDatabase();
  const api = useExplainApi(database);
  const setDelivery = (event: EventRow, columns: Record<string, unknown>) =>
    database.db("deliveries").where({ event_row_id: event.id }).update(columns);
  const setHealth = (id: number, columns: Record<string, unknown>) =>
    database.db("subscription_health").where({ subscription_id: id }).update(columns);

  const states: [string, Record<string, unknown>, string, string][] = [
    [
      "delivered",
      { state: "delivered", attempts: 3, last_result: "2xx", ended_at: new Date(0) },
      "delivered",
      "Delivered on attempt 3.",
    ],
    ["sending", { state: "sending", attempts: 1 }, "in_flight", "Attempt 2 is in progress."],
    [
      "dead",
      { state: "dead", attempts: 10, last_result: "5xx", ended_at: new Date(0) },
      "dead",
      "Failed after 10 attempts. The result of the last one: 5xx. It can be replayed.",
    ],
    [
      "cancelled",
      { state: "cancelled", end_reason: "off_too_long", ended_at: new Date(0) },
      "cancelled",
      "Cancelled because the webhook was disabled for too long.",
    ],
  ];
  for (const [title, columns, verdict, text] of states) {
    it(`says that it is ${title}`, async () => {
      const id = await api.subscribe();
      const event = await api.happen();
      await fanOutAll(database.db);
      await setDelivery(event, columns);
      const one = await api.explainOne(event, id);
      expect(one).to.include({ verdict, text });
      expect(one["delivery"]).to.include({ status: columns["state"], sequence: 1 });
    });
  }

  it("reports until when it waits, and the result of the last attempt", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    await fanOutAll(database.db);
    const due_at = api.inSeconds(300);
    await setDelivery(event, {
      state: "retry",
      attempts: 2,
      last_result: "timeout_connect",
      due_at,
    });
    const one = await api.explainOne(event, id);
    expect(one).to.include({
      verdict: "waiting",
      until: stampOf(due_at),
      text: `Waiting until ${stampOf(due_at)}. 2 attempts failed, the last with timeout_connect.`,
    });
    expect(one["delivery"]).to.include({ next_try: stampOf(due_at), attempt_count: 2 });
    await setDelivery(event, { due_at: api.inSeconds(-5) });
    const textOf = async () => (await api.explainOne(event, id))["text"];
    expect(await textOf()).to.match(/another request in flight\.$/u);
    await database.db("subscriptions").where({ id }).update({ max_per_second: 5 });
    expect(await textOf()).to.match(/in flight and its limit of requests .*maxPerSecond: 5\)/u);
  });

  it("reports throttling or an open circuit, and until when", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    await fanOutAll(database.db);
    await setDelivery(event, { state: "retry", attempts: 1, due_at: api.inSeconds(10) });
    await setHealth(id, { throttled_until: api.inSeconds(600) });
    const throttled = { verdict: "throttled", until: stampOf(api.inSeconds(600)) };
    expect(await api.explainOne(event, id)).to.include(throttled);
    await setHealth(id, { throttled_until: api.inSeconds(-600), probe_at: api.inSeconds(60) });
    const open = { verdict: "circuit_open", until: stampOf(api.inSeconds(60)) };
    expect(await api.explainOne(event, id)).to.include(open);
    await setDelivery(event, { due_at: api.inSeconds(100) });
    expect(await api.explainOne(event, id)).to.include({ verdict: "waiting" });
  });

  it("names the earlier delivery of the same object", async () => {
    const id = await api.subscribe();
    const first = await api.happen({ key: "ticket:9" });
    const event = await api.happen({ key: "ticket:9" });
    await fanOutAll(database.db);
    const one = await api.explainOne(event, id);
    expect(one).to.include({ verdict: "waits_for_other" });
    const before = await api.explainOne(first, id);
    expect(one["text"]).to.contain(`${before["delivery"].id} (sequence 1, state queued)`);
    expect(one["delivery"]).to.include({ waits_for: 1 });
  });

  it("reports that it is paused, since when, and who disabled the webhook", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    await fanOutAll(database.db);
    const cause = { reason: "switched off", changedBy: api.caller.userId };
    await reviseSubscription(database.db, id, { is_active: false }, cause);
    await reviseSubscription(
      database.db,
      id,
      { name: "renamed" },
      { reason: "changed", changedBy: null },
    );
    await setDelivery(event, { state: "paused" });
    const one = await api.explainOne(event, id);
    expect(one).to.include({
      verdict: "paused",
      reason: "switched off",
      changed_by: api.caller.login,
      changed_by_id: api.caller.userId,
    });
    expect(one["since"]).to.be.a("string");
  });

  it("reports whether the receiver has pulled it", async () => {
    const id = await api.subscribe({ mode: "pull", url: null });
    const event = await api.happen();
    await fanOutAll(database.db);
    expect(await api.explainOne(event, id)).to.include({ verdict: "available" });
    await setHealth(id, { pulled_to: 1, pulled_at: api.inSeconds(-1) });
    expect(await api.explainOne(event, id)).to.include({ verdict: "pulled" });
  });

  it("lists its replays", async () => {
    const id = await api.subscribe();
    const event = await api.happen();
    await fanOutAll(database.db);
    const replay = await aReplay(database.db, api.caller.enterpriseId, id);
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
         object, key, state, due_at, replay_id, attempts, last_result)
       VALUES (?, ?, 2, ?, ?, 'ticket', 'k', 'delivered', now(), ?, 1, '2xx')`,
      [api.caller.enterpriseId, id, event.id, event.occurred_at, replay],
    );
    const one = await api.explainOne(event, id);
    expect(one["verdict"]).to.equal("in_flight");
    expect(one["delivery"]["sequence"]).to.equal(1);
    expect(one["replays"]).to.have.length(1);
    expect(one["replays"][0]).to.include({
      replay,
      sequence: 2,
      status: "delivered",
    });
  });
});
