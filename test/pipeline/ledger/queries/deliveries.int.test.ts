import { expect } from "chai";
import { rowsOf } from "../../../../src/platform/db/pool.ts";
import { useDatabase } from "../../../support/database.ts";
import { useDeliveryLog, type LogItem } from "../../../support/delivery-log-api.ts";
import { aSubscription } from "../../../support/factories.ts";

describe("the delivery log", () => {
  const database = useDatabase();
  const { current, call, aDelivery, anAttempt, list } = useDeliveryLog(database);

  it("is empty at first", async () => {
    expect(await list()).to.deep.equal({
      total: 0,
      total_exact: true,
      data: [],
      next_cursor: null,
      examined: 0,
      complete: true,
    });
  });

  it("shows a delivery with its event and the result of its last attempt", async () => {
    const id = await aDelivery(
      { state: "retry", attempts: 2, waits_for: null, last_result: "5xx" },
      {
        event_id: "evt_1",
        object: "conversationevent",
        event: "create",
        event_type: "ticket.new",
        object_id: "912",
      },
    );
    await anAttempt(id, {
      started_at: new Date(Date.now() + 60_000),
      number: 2,
      status: 503,
      duration_ms: 1_204,
    });
    await anAttempt(id, { failure: "timeout" });
    const { total, data } = await list();
    expect(total).to.equal(1);
    expect(data[0]).to.deep.equal({
      id,
      webhook: {
        id: current.subscriptionId,
        name: (data[0]!["webhook"] as LogItem)["name"],
        origin: "http://127.0.0.1:9",
        deleted: false,
      },
      sequence: current.sequence,
      event_id: "evt_1",
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
      end_reason: null,
      last_attempt: data[0]?.["last_attempt"],
      last_ms: 1_204,
      last_result: "5xx",
      last_code: 503,
      last_error: null,
      replay: null,
      replay_of: null,
    });
  });

  it("shows the next attempt only if there will be one", async () => {
    const states = ["pending", "queued", "retry", "sending", "delivered", "dead", "paused"];
    for (const state of [...states, "cancelled"]) {
      await aDelivery({ state });
    }
    const { data } = await list();
    const planned = data.filter((item) => item["next_try"] !== null).map((item) => item["status"]);
    expect(planned).to.have.members(["pending", "queued", "retry"]);
  });

  it("lists the newest first, ten per page, with links to the other pages", async () => {
    for (let n = 0; n < 12; n += 1) {
      await aDelivery();
    }
    const answer = await call(`/webhooks/${current.subscriptionId}/deliveries`);
    const data = answer.body["data"] as LogItem[];
    expect(data.map((item) => item.sequence)).to.deep.equal(
      Array.from({ length: 10 }, (_, n) => current.sequence - n),
    );
    expect(answer.body["total"]).to.equal(12);
    expect(answer.headers.get("x-total-count")).to.equal("12");
    expect(answer.headers.get("link")).to.contain('offset=10>; rel="next"');
    expect((await list("?offset=10")).data).to.have.length(2);
    expect((await list("?limit=1&offset=11")).data[0]?.sequence).to.equal(current.sequence - 11);
  });

  it("filters by status, object and time, and counts the matches", async () => {
    const old = await aDelivery({ created_at: new Date("2026-01-31T23:59:59Z") });
    const dead = await aDelivery({ state: "dead" });
    const media = await aDelivery({ object: "media" });
    const ids = async (query: string): Promise<number[]> => {
      const { total, data } = await list(query);
      expect(total).to.equal(data.length);
      return data.map((item) => item.id);
    };
    expect(await ids("?status=dead")).to.deep.equal([dead]);
    expect(await ids("?status=dead,delivered")).to.deep.equal([media, dead, old]);
    expect(await ids("?object=media")).to.deep.equal([media]);
    expect(await ids("?since=2026-02-01")).to.deep.equal([media, dead]);
    expect(await ids("?since=2026-02-01T00:59:59%2B01:00")).to.deep.equal([media, dead, old]);
    expect(await ids("?status=delivered&object=media&since=2026-02-01")).to.deep.equal([media]);
    expect(await ids("?status=paused")).to.deep.equal([]);
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
    ["offset=10001", "offset"],
    ["result=timeout", "result"],
    ["colour=red", "colour"],
    ["text=a", "text"],
    [`text=${"a".repeat(101)}`, "text"],
    ["text=a%00b", "text"],
    ["event_id=7", "event_id"],
    ["eventId=7", "eventId"],
    ["event=born", "event"],
    ["eventType=ticket.born", "eventType"],
    ["replay=x", "replay"],
    ["until=tomorrow", "until"],
    ["cursor=%25", "cursor"],
  ] as const) {
    it(`refuses ${query} and names the field`, async () => {
      const { status, body } = await call(
        `/webhooks/${current.subscriptionId}/deliveries?${query}`,
      );
      expect(status).to.equal(400);
      expect((body["errors"] as LogItem[])[0]?.["field"]).to.equal(field);
    });
  }

  it("shows one delivery with the exact body and every attempt, headers masked", async () => {
    const [before] = await rowsOf<{ revision: number }>(
      database.db,
      "UPDATE subscription_revisions SET url = ? WHERE subscription_id = ? RETURNING revision",
      ["https://before.example/in?key=secret", current.subscriptionId],
    );
    const text = '{ "b":1,  "a":"é" }';
    const id = await aDelivery({ attempts: 2 }, { body: text });
    const path = `/webhooks/${current.subscriptionId}/deliveries/${id}`;
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
      ...{ number: 2, revision: before?.revision },
      status: 200,
      phases: { firstByte: 80 },
      request_headers: { "webhook-id": "evt_1", "X-Key": "topsecret" },
      response_headers: { server: "nginx", "set-cookie": "sid=1" },
      response_body: "<b>ok</b>",
    });
    const { status, body } = await call(path);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id, status: "delivered", body: text, attempt_count: 2 });
    expect(body["attempts"]).to.deep.equal([
      {
        number: 1,
        ...{ origin: null, address_changed: null },
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
        ...{ origin: "https://before.example", address_changed: true },
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

  it("still lists a delivery whose event is deleted", async () => {
    const id = await aDelivery();
    await rowsOf(
      database.db,
      "DELETE FROM events WHERE id = (SELECT event_row_id FROM deliveries WHERE id = ?)",
      [id],
    );
    const { status, body } = await call(`/webhooks/${current.subscriptionId}/deliveries/${id}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id, event_id: null, event: null, body: null });
  });

  it("does not show a delivery of another webhook, even of the same enterprise", async () => {
    const id = await aDelivery();
    const other = await aSubscription(database.db, { enterprise_id: current.admin.enterpriseId });
    const { status } = await call(`/webhooks/${other.id}/deliveries/${id}`);
    expect(status).to.equal(404);
  });

  it("returns a cursor instead of a large offset", async () => {
    const { body } = await call(`/webhooks/${current.subscriptionId}/deliveries?offset=10001`);
    expect(body["detail"]).to.contain("next_cursor");
  });

  it("continues by cursor with the same filters, and refuses cursor and offset together", async () => {
    for (let n = 0; n < 5; n += 1) {
      await aDelivery({ state: "dead" });
      await aDelivery();
    }
    const first = await list("?status=dead&limit=3");
    expect(first).to.deep.include({ total: 5, complete: true });
    const second = await list(`?status=dead&limit=3&cursor=${first.next_cursor}`);
    expect(second.next_cursor).to.equal(null);
    const shown = [...first.data, ...second.data].map((item) => item.sequence);
    expect(shown).to.deep.equal([9, 7, 5, 3, 1].map((n) => current.sequence - 10 + n));
    const both = `?status=dead&limit=3&offset=3&cursor=${first.next_cursor}`;
    const refused = await call(`/webhooks/${current.subscriptionId}/deliveries${both}`);
    expect(refused.body["errors"]).to.deep.equal([{ field: "offset", reason: "exclusive" }]);
    const other = await call(
      `/webhooks/${current.subscriptionId}/deliveries?cursor=${first.next_cursor}`,
    );
    expect(other.body["errors"]).to.deep.equal([{ field: "cursor", reason: "mismatch" }]);
  });

  it("reports what the delivery waits for, and that the content was removed", async () => {
    const first = await aDelivery({ state: "retry" });
    const id = await aDelivery({ state: "pending", waits_for: current.sequence }, { body: "" });
    await rowsOf(
      database.db,
      "UPDATE events SET expunged_at = '2026-11-20T11:30:00Z' WHERE id = (SELECT event_row_id FROM deliveries WHERE id = ?)",
      [id],
    );
    const { body } = await call(`/webhooks/deliveries/${id}`);
    expect(body).to.deep.include({
      ...{ waits_for: current.sequence - 1, waits_for_id: first },
      ...{ body: null, expunged: "2026-11-20T11:30:00+00:00" },
    });
  });
});
