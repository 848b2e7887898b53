import { expect } from "chai";
import type { Caller } from "../../../src/http/route.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEvent, aSubscription } from "../../support/factories.ts";
import { aCaller, startWebhookApi, type Call, type WebhookApi } from "../../support/webhook-api.ts";

type Columns = Record<string, unknown>;
type Item = Record<string, unknown> & { id: number; sequence: number };

describe("delivery log of a webhook", () => {
  const database = useDatabase();
  let api: WebhookApi;
  let admin: Caller;
  let call: Call;
  let subscriptionId = 0;
  let sequence = 0;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  beforeEach(async () => {
    admin = await aCaller(database.db);
    call = api.as(admin);
    subscriptionId = (await aSubscription(database.db, { enterprise_id: admin.enterpriseId })).id;
  });
  after(async () => {
    await api.close();
  });

  const aDelivery = async (columns: Columns = {}, event: Columns = {}): Promise<number> => {
    const { id, occurred_at } = await anEvent(database.db, {
      enterprise_id: admin.enterpriseId,
      ...event,
    });
    const row = {
      enterprise_id: admin.enterpriseId,
      subscription_id: subscriptionId,
      sequence: (sequence += 1),
      event_id: id,
      event_at: occurred_at,
      object: "ticket",
      key: "ticket:1",
      state: "delivered",
      due_at: new Date("2026-11-20T11:30:00Z"),
      ...columns,
    };
    const [inserted] = await database.db("deliveries").insert(row).returning("id");
    // The event's time has microseconds that a Date would lose.
    await rowsOf(
      database.db,
      "UPDATE deliveries d SET event_at = e.occurred_at FROM events e WHERE e.id = d.event_id",
    );
    return (inserted as { id: number }).id;
  };
  const anAttempt = async (deliveryId: number, columns: Columns): Promise<void> => {
    await database.db("attempts").insert({
      started_at: new Date(),
      delivery_id: deliveryId,
      number: 1,
      duration_ms: 84,
      ...columns,
    });
  };
  const list = async (query = ""): Promise<{ total: number; data: Item[] }> =>
    (await call("GET", `/webhooks/${subscriptionId}/deliveries${query}`)).body as never;

  it("is empty at first", async () => {
    expect(await list()).to.deep.equal({ total: 0, data: [] });
  });

  it("shows a delivery with its event and how its last attempt ended", async () => {
    const id = await aDelivery(
      { state: "retry", attempts: 2, waits_for: null },
      {
        message_id: "evt_1",
        object: "conversationevent",
        event: "create",
        event_type: "ticket.new",
        object_id: "912",
      },
    );
    await anAttempt(id, { started_at: new Date(Date.now() + 10), number: 2, status: 503 });
    await anAttempt(id, { failure: "timeout" });
    const { total, data } = await list();
    expect(total).to.equal(1);
    expect(data[0]).to.deep.equal({
      id,
      sequence,
      webhook_id: "evt_1",
      object: "ticket",
      event: "create",
      event_type: "ticket.new",
      object_id: 912,
      status: "retry",
      attempt_count: 2,
      next_try: "2026-11-20T11:30:00+00:00",
      waits_for: null,
      created: data[0]?.["created"],
      ended: null,
      last_code: 503,
      last_error: null,
    });
  });

  it("shows a next try only where one will be made", async () => {
    const states = ["pending", "queued", "retry", "sending", "delivered", "dead", "paused"];
    for (const state of [...states, "cancelled"]) {
      await aDelivery({ state });
    }
    const { data } = await list();
    const planned = data.filter((item) => item["next_try"] !== null).map((item) => item["status"]);
    expect(planned).to.have.members(["pending", "queued", "retry"]);
  });

  it("lists the newest first, ten at a time, with links to the other pages", async () => {
    for (let n = 0; n < 12; n += 1) {
      await aDelivery();
    }
    const answer = await call("GET", `/webhooks/${subscriptionId}/deliveries`);
    const data = answer.body["data"] as Item[];
    expect(data.map((item) => item.sequence)).to.deep.equal(
      Array.from({ length: 10 }, (_, n) => sequence - n),
    );
    expect(answer.body["total"]).to.equal(12);
    expect(answer.headers.get("x-total-count")).to.equal("12");
    expect(answer.headers.get("link")).to.contain('offset=10>; rel="next"');
    expect((await list("?offset=10")).data).to.have.length(2);
    expect((await list("?limit=1&offset=11")).data[0]?.sequence).to.equal(sequence - 11);
  });

  it("filters by status, object and time, and counts what it filtered", async () => {
    const dead = await aDelivery({ state: "dead" });
    const media = await aDelivery({ object: "media" });
    const old = await aDelivery({ created_at: new Date("2026-01-31T23:59:59Z") });
    const ids = async (query: string): Promise<number[]> => {
      const { total, data } = await list(query);
      expect(total).to.equal(data.length);
      return data.map((item) => item.id);
    };
    expect(await ids("?status=dead")).to.deep.equal([dead]);
    expect(await ids("?status=dead,delivered")).to.deep.equal([old, media, dead]);
    expect(await ids("?object=media")).to.deep.equal([media]);
    expect(await ids("?since=2026-02-01")).to.deep.equal([media, dead]);
    expect(await ids("?since=2026-02-01T00:59:59%2B01:00")).to.deep.equal([old, media, dead]);
    expect(await ids("?status=delivered&object=media&since=2026-02-01")).to.deep.equal([media]);
    expect(await ids("?colour=red&status=paused")).to.deep.equal([]);
  });

  for (const [query, field] of [
    ["status=done", "status"],
    ["object=user", "object"],
    ["since=yesterday", "since"],
    ["since=2026-02-30", "since"],
    ["limit=101", "limit"],
    ["limit=0", "limit"],
    ["limit=ten", "limit"],
    ["offset=-1", "offset"],
  ] as const) {
    it(`refuses ${query} and names the field`, async () => {
      const { status, body } = await call("GET", `/webhooks/${subscriptionId}/deliveries?${query}`);
      expect(status).to.equal(400);
      expect((body["errors"] as Item[])[0]?.["field"]).to.equal(field);
    });
  }

  it("shows one delivery with the exact body and every attempt, headers masked", async () => {
    const text = '{ "b":1,  "a":"é" }';
    const id = await aDelivery({ attempts: 2 }, { body: text });
    const path = `/webhooks/${subscriptionId}/deliveries/${id}`;
    await anAttempt(id, {
      started_at: new Date("2026-11-20T11:30:00Z"),
      failure: "timeout",
      failure_detail: "no answer within 15 s",
      is_counted: false,
    });
    await rowsOf(
      database.db,
      "UPDATE deliveries SET created_at = '2026-11-20T11:30:00Z' WHERE id = ?",
      [id],
    );
    await anAttempt(id, {
      started_at: new Date("2026-11-20T11:30:05Z"),
      number: 2,
      status: 200,
      phases: { firstByte: 80 },
      request_headers: { "webhook-id": "evt_1", "X-Key": "topsecret" },
      response_headers: { server: "nginx", "set-cookie": "sid=1" },
      response_body: "<b>ok</b>",
    });
    const { status, body } = await call("GET", path);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id, status: "delivered", body: text, attempt_count: 2 });
    expect(body["attempts"]).to.deep.equal([
      {
        number: 1,
        counted: false,
        started: "2026-11-20T11:30:00+00:00",
        ms: 84,
        code: null,
        error: "timeout",
        error_detail: "no answer within 15 s",
        phases: null,
        request_headers: null,
        response_headers: null,
        response_body: null,
      },
      {
        number: 2,
        counted: true,
        started: "2026-11-20T11:30:05+00:00",
        ms: 84,
        code: 200,
        error: null,
        error_detail: null,
        phases: { firstByte: 80 },
        request_headers: { "webhook-id": "evt_1", "X-Key": "••••" },
        response_headers: { server: "nginx", "set-cookie": "••••" },
        response_body: "<b>ok</b>",
      },
    ]);
  });

  it("keeps the uid of a conversation as text", async () => {
    const uid = "0b0ff0a2-5a5c-4b5c-8f7e-3c2f0f0e9d11";
    await aDelivery({ object: "conversation" }, { object: "conversation", object_id: uid });
    expect((await list()).data[0]?.["object_id"]).to.equal(uid);
  });

  it("still lists a delivery whose event is no longer kept", async () => {
    const id = await aDelivery();
    await rowsOf(
      database.db,
      "DELETE FROM events WHERE id = (SELECT event_id FROM deliveries WHERE id = ?)",
      [id],
    );
    const { status, body } = await call("GET", `/webhooks/${subscriptionId}/deliveries/${id}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id, webhook_id: null, event: null, body: null });
  });

  it("does not show a delivery of another webhook, even of the same enterprise", async () => {
    const id = await aDelivery();
    const other = await aSubscription(database.db, { enterprise_id: admin.enterpriseId });
    const { status } = await call("GET", `/webhooks/${other.id}/deliveries/${id}`);
    expect(status).to.equal(404);
  });
});
