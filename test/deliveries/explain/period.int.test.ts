import { expect } from "chai";
import { useDatabase } from "../../support/database.ts";
import {
  reviseSubscription,
  stampOf,
  useExplainApi,
  type Explained,
} from "../../support/explain-api.ts";
import type { EventRow } from "../../support/factories.ts";
import { fanOutAll } from "../../support/ledger.ts";

describe("explaining a webhook and a period", () => {
  const database = useDatabase();
  const api = useExplainApi(database);

  const ask = async (id: number, query = ""): Promise<Explained> =>
    (await api.call("GET", `/webhooks/${id}/explain${query}`)).body;
  const setDelivery = (event: EventRow, columns: Record<string, unknown>) =>
    database.db("deliveries").where({ event_row_id: event.id }).update(columns);
  const setHealth = (id: number, columns: Record<string, unknown>) =>
    database.db("subscription_health").where({ subscription_id: id }).update(columns);
  const verdictsOf = ({ verdicts }: Explained) =>
    (verdicts as Explained[]).map(({ verdict, count }) => [verdict, count]);

  it("says that nothing happened, and covers the last hour by default", async () => {
    const id = await api.subscribe({ name: "CRM" });
    await api.happen({ occurred_at: api.inSeconds(-3_700) });
    const answer = await ask(id);
    expect(answer).to.include({
      ...{ webhook: id, name: "CRM", mode: "push", active: true, deleted: false },
      ...{ since: stampOf(api.inSeconds(-3_600)), until: stampOf(api.inSeconds(0)) },
      ...{ verdict: "no_events", events: 0, matched: 0, arrived: 0, deliveries: 0 },
      ...{ truncated_at: null, clamped: false },
      text: "No event happened. There was nothing to send.",
    });
    expect(await ask(id, "?since=2026-01-01T00:00:00Z")).to.include({ clamped: true });
  });

  it("counts the events that did not match, by verdict and by kind, with an example", async () => {
    const id = await api.subscribe({
      filters: ["ticket.create", "conversationevent.create:chat"],
      conditions: '{"props.state":"done"}',
    });
    await api.happen({ object: "media", event: "create", object_id: "5" });
    await api.happen({ object: "media", event: "create" });
    await api.happen({ object: "ticket", event: "update" });
    const unmet = await api.happen({ body: '{"props":{"state":"new"}}' });
    await fanOutAll(database.db);
    const answer = await ask(id);
    expect(answer).to.include({ verdict: "filters", count: 3, events: 4, matched: 0 });
    expect(answer["text"]).to.equal(
      "4 events happened, 0 matched the webhook, 0 arrived. 3 did not match its filters." +
        " 1 matched its filters, but did not meet its conditions.",
    );
    expect(verdictsOf(answer)).to.deep.equal([
      ["filters", 3],
      ["conditions", 1],
    ]);
    const [filters, conditions] = answer["verdicts"] as Explained[];
    expect(filters!["mismatches"]).to.deep.equal({ object: 2, event: 1, eventType: 0 });
    expect(filters!["example"]).to.include({ object: "ticket", event: "update", delivery: null });
    expect(conditions!["conditions"][0].found).to.deep.equal([
      { path: "props.state", value: '"new"' },
    ]);
    expect(conditions!["example"]["event_id"]).to.equal(unmet.event_id);
    expect(answer["kinds"][0]).to.deep.equal({
      ...{ object: "media", event: "create", event_type: null, count: 2, matched: 0 },
    });
  });

  it("names the same verdict as the explanation of each event", async () => {
    const id = await api.subscribe({ filters: ["ticket.*"], conditions: '{"event":"create"}' });
    const events = [
      await api.happen({ object: "media", event: "update" }),
      await api.happen(),
      await api.happen({ body: '{"event":"update"}' }),
      await api.happen({ body: "" }),
    ];
    await fanOutAll(database.db);
    events.push(await api.happen()); // never fanned out
    await reviseSubscription(database.db, id, { is_active: false });
    const each = await Promise.all(events.map((event) => api.explainOne(event, id)));
    const counts = new Map<string, number>();
    each.forEach(({ verdict }) => counts.set(verdict, (counts.get(verdict) ?? 0) + 1));
    expect(new Map(verdictsOf(await ask(id)) as [string, number][])).to.deep.equal(counts);
  });

  it("says that the attempts fail, with states and results", async () => {
    const id = await api.subscribe();
    const [first, second, third] = [await api.happen(), await api.happen(), await api.happen()];
    await fanOutAll(database.db);
    const failed = { attempts: 2, last_result: "timeout_connect", due_at: api.inSeconds(500) };
    await setDelivery(first, { ...failed, state: "retry" });
    await setDelivery(second, { ...failed, state: "dead", ended_at: new Date() });
    await setDelivery(third, { state: "delivered", attempts: 1, last_result: "2xx" });
    const answer = await ask(id);
    expect(answer).to.include({ verdict: "failing", count: 2, matched: 3, arrived: 1 });
    expect(answer["text"]).to.contain("The attempts of 2 deliveries failed.");
    expect(answer["text"]).to.contain("Most frequent result: timeout_connect (2 deliveries).");
    expect(answer["advice"]).to.contain("recover the webhook");
    expect(answer["states"]).to.have.deep.members([
      { status: "retry", count: 1 },
      { status: "dead", count: 1 },
      { status: "delivered", count: 1 },
    ]);
    expect(answer["results"]).to.have.deep.members([
      { result: "timeout_connect", count: 2 },
      { result: "2xx", count: 1 },
    ]);
  });

  it("says that the receiver is throttled, or that its circuit is open", async () => {
    const id = await api.subscribe();
    await setDelivery(await happened(), { state: "retry", attempts: 1, due_at: api.inSeconds(10) });
    await setHealth(id, { throttled_until: api.inSeconds(600), failing_since: new Date() });
    const throttled = await ask(id);
    expect(throttled).to.include({ verdict: "throttled", count: 1 });
    expect(throttled["text"]).to.contain(`until ${stampOf(api.inSeconds(600))}`);
    expect(throttled["health"]["state"]).to.equal("throttled");
    await setHealth(id, { throttled_until: null, probe_at: api.inSeconds(60) });
    const open = await ask(id);
    expect(open).to.include({ verdict: "circuit_open", count: 1 });
    expect(open["health"]).to.include({ state: "open", next_probe: stampOf(api.inSeconds(60)) });
  });

  async function happened(columns: object = {}): Promise<EventRow> {
    const event = await api.happen(columns);
    await fanOutAll(database.db);
    return event;
  }

  it("says that the webhook is disabled: since when, why, and by whom", async () => {
    const id = await api.subscribe();
    const cause = { reason: "switched off", changedBy: api.caller.userId };
    await reviseSubscription(database.db, id, { is_active: false }, cause);
    const idle = await ask(id);
    expect(idle).to.include({ verdict: "off", active: false, events: 0 });
    await happened();
    const answer = await ask(id);
    expect(answer).to.include({ verdict: "off", matched: 0, events: 1 });
    expect(answer["text"]).to.contain("The webhook has been disabled since ");
    expect(answer["advice"]).to.contain("Enable the webhook.");
    expect(answer["off"]).to.have.length(1);
    expect(answer["off"][0]).to.include({
      ...{ reason: "switched off", until: null },
      ...{ changed_by: api.caller.login, changed_by_id: api.caller.userId },
    });
    await reviseSubscription(database.db, id, { is_active: true });
    const later = await ask(id);
    expect(later).to.include({ verdict: "off", active: true });
    expect(later["advice"]).to.contain("Recover the webhook since the time");
    expect(later["off"][0]["until"]).to.be.a("string");
  });

  it("knows a switch-off of this moment, also if the clock of the database is ahead", async () => {
    const id = await api.subscribe();
    await reviseSubscription(
      database.db,
      id,
      { is_active: false },
      { reason: null, changedBy: null },
    );
    api.clock.set(new Date(Date.now() - 60_000));
    expect((await ask(id))["off"]).to.have.length(1);
    const until = encodeURIComponent(api.clock.now().toISOString());
    api.clock.set(new Date(Date.now() + 60_000));
    expect((await ask(id, `?until=${until}`))["off"]).to.deep.equal([]);
  });

  it("names a change of the filters since which nothing arrives", async () => {
    const id = await api.subscribe({ filters: ["ticket.*"] });
    await setDelivery(await happened(), { state: "delivered", attempts: 1, last_result: "2xx" });
    await happened({ object: "media" });
    await reviseSubscription(database.db, id, { name: "renamed" });
    expect(await ask(id)).to.include({ verdict: "delivered", matched: 1 });
    await reviseSubscription(database.db, id, { filters: ["media.delete"] });
    await happened({ occurred_at: api.inSeconds(-1) });
    const answer = await ask(id);
    expect(answer).to.include({ verdict: "filters", matched: 1, arrived: 1 });
    expect(answer["text"]).to.contain("They were changed at ");
  });

  it("says that the platform has not processed the events, or is behind", async () => {
    const id = await api.subscribe();
    const old = { occurred_at: api.inSeconds(-120) };
    await api.happen(old);
    await api.happen();
    expect(await ask(id)).to.include({ verdict: "not_fanned_out", count: 1, matched: 2 });
    await fanOutAll(database.db);
    expect(await ask(id)).to.include({ verdict: "in_flight", deliveries: 2 });
    await database
      .db("deliveries")
      .where({ subscription_id: id })
      .update({
        ...{ state: "pending", due_at: api.inSeconds(-120) },
      });
    expect(await ask(id)).to.include({ verdict: "behind", count: 2 });
    await database.db("subscriptions").where({ id }).update({ max_per_second: 1 });
    expect((await ask(id))["advice"]).to.contain("Its limit is 1 request per second");
  });

  it("says that a pulling receiver has not asked", async () => {
    const id = await api.subscribe({ mode: "pull", url: null });
    await happened({ occurred_at: api.inSeconds(-120) });
    const answer = await ask(id);
    expect(answer).to.include({ verdict: "available", count: 1, mode: "pull" });
    expect(answer["text"]).to.contain("The receiver has never pulled events.");
    expect(answer["health"]).to.include({ state: "pull", to_pull: 1 });
    await setHealth(id, { pulled_to: 1, pulled_at: new Date() });
    expect(await ask(id)).to.include({ verdict: "pulled", arrived: 1 });
  });

  it("finds a deleted webhook and one that was created later", async () => {
    const gone = await api.subscribe();
    const deletion = { is_active: false, deleted_at: new Date() };
    await reviseSubscription(database.db, gone, deletion, { reason: "deleted", changedBy: null });
    await happened();
    expect(await ask(gone)).to.include({ verdict: "deleted", deleted: true });
    const later = await api.subscribe({ valid_from: api.inSeconds(-1) });
    expect(await ask(later)).to.include({ verdict: "created_later", matched: 0 });
  });

  it("reports a lost delivery before anything else", async () => {
    const id = await api.subscribe();
    const lost = await happened();
    await happened();
    await database.db("deliveries").where({ event_row_id: lost.id }).delete();
    expect(await ask(id)).to.include({ verdict: "gap", count: 1, matched: 2 });
  });

  it("counts the requests of the period, whenever their events happened", async () => {
    const id = await api.subscribe();
    const tally = { enterprise_id: api.caller.enterpriseId, subscription_id: id, step: 10 };
    const counts = { delivered: 2, failed: 5, retried: 5, dead: 0, latencies: [], answers: [] };
    const at = (seconds: number) =>
      new Date(Math.floor(api.inSeconds(seconds).getTime() / 10_000) * 10_000);
    await database.db("delivery_tallies").insert([
      { ...tally, ...counts, at: at(-60) },
      { ...tally, ...counts, at: at(-4_000) },
    ]);
    expect((await ask(id))["attempts"]).to.deep.equal({ delivered: 2, failed: 5 });
  });

  it("refuses a period that ends before it starts, and another enterprise", async () => {
    const id = await api.subscribe();
    const query = "?since=2026-11-20T10:00:00Z&until=2026-11-20T09:00:00Z";
    const wrong = await api.call("GET", `/webhooks/${id}/explain${query}`);
    expect(wrong.body["errors"]).to.deep.equal([{ field: "until", reason: "range" }]);
    const stranger = await api.asStranger();
    expect((await stranger("GET", `/webhooks/${id}/explain`)).status).to.equal(404);
    const operator = await api.asStranger("superadmin");
    expect((await operator("GET", `/webhooks/${id}/explain`)).status).to.equal(404);
  });

  describe("for operators", () => {
    it("answers for a webhook of any enterprise, without its content", async () => {
      const id = await api.subscribe({ name: "CRM", conditions: '{"props.state":"secret"}' });
      await happened({ body: '{"props":{"state":"private"}}' });
      const operator = await api.asStranger("superadmin");
      const { status, body } = await operator("GET", `/platform/webhooks/${id}/explain`);
      expect(status).to.equal(200);
      expect(body).to.include({ enterprise: api.caller.enterpriseId, verdict: "conditions" });
      expect(body["verdicts"]).to.deep.equal([
        { verdict: "conditions", count: 1, mismatches: { object: 0, event: 0, eventType: 0 } },
      ]);
      expect(JSON.stringify(body)).not.to.match(/CRM|secret|private|evt_/u);
    });

    it("refuses administrators of an enterprise, and unknown webhooks", async () => {
      const id = await api.subscribe();
      const own = await api.call("GET", `/platform/webhooks/${id}/explain`);
      expect(own.status).to.equal(403);
      const operator = await api.asStranger("superadmin");
      expect((await operator("GET", "/platform/webhooks/987654321/explain")).status).to.equal(404);
    });
  });
});
