import { Webhook } from "standardwebhooks";
import { expect } from "chai";
import { createAudit } from "../../../src/audit/audit-log.ts";
import type { Role } from "../../../src/contracts/permissions.ts";
import { createTestSender } from "../../../src/pipeline/delivery/send.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { randomIds } from "../../../src/platform/ids.ts";
import { createAddressGuard } from "../../../src/platform/net/address-guard.ts";
import { testSendRoutes } from "../../../src/subscriptions/test-send/routes.ts";
import { createTestSends } from "../../../src/subscriptions/test-send/service.ts";
import { startApi, type TestApi } from "../../support/api.ts";
import { useDatabase } from "../../support/database.ts";
import { anEvent } from "../../support/factories.ts";
import { aReceivingSubscription, testSecret } from "../../support/pipeline.ts";
import { useReceiver } from "../../support/receiver.ts";
import { testBox } from "../../support/secret-box.ts";
import { aCaller } from "../../support/webhook-api.ts";

type Caller = Awaited<ReturnType<typeof aCaller>>;

describe("POST /api/webhooks/{webhookId}/test", () => {
  const database = useDatabase();
  const hook = useReceiver();
  const callers = new Map<string, Caller>();
  let api: TestApi;
  let sender: ReturnType<typeof createTestSender>;
  before("serve the operation", async () => {
    const { db } = database;
    sender = createTestSender({
      db,
      box: testBox,
      clock: systemClock,
      guard: createAddressGuard({ areLocalReceiversAllowed: true, allowList: [] }),
      timeoutMs: 3_500, // longer than the maximum wait for a free slot
    });
    api = await startApi({
      routes: testSendRoutes(
        createTestSends({
          db,
          clock: systemClock,
          ids: randomIds,
          log: { info: () => undefined },
          audit: createAudit(),
          sendTest: sender.send,
        }),
      ),
      authenticate: async (token) => {
        const caller = callers.get(token);
        return caller === undefined ? undefined : { caller, hasSolution: true };
      },
    });
  });
  after("close it", async () => {
    sender.close();
    await api.close();
  });

  const signIn = async (role: Role = "admin"): Promise<Caller> => {
    const caller = await aCaller(database.db, role);
    callers.set(caller.token, caller);
    return caller;
  };
  const call = async (caller: Caller, id: number, body?: unknown) => {
    const response = await fetch(`${api.url}/api/webhooks/${id}/test`, {
      method: "POST",
      headers: { authorization: `Bearer ${caller.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line no-explicit-any -- a test reads unknown JSON
    const answer = (await response.json()) as Record<string, any>;
    return { status: response.status, headers: response.headers, body: answer };
  };
  const aWebhook = async (caller: Caller, url = hook.receiver.url): Promise<number> => {
    const { enterpriseId } = caller;
    const headers = [{ name: "X-Key", value: "s3cret" }];
    return (await aReceivingSubscription(database.db, { url, enterpriseId, headers })).id;
  };
  const change = (id: number, columns: string) =>
    rowsOf(database.db, `UPDATE subscriptions SET ${columns} WHERE id = ?`, [id]);
  const auditOf = (caller: Caller) =>
    rowsOf<{ action: string; object_id: string; changes: object; user_id: number }>(
      database.db,
      `SELECT action, object_id, changes, user_id FROM audit_entries
       WHERE enterprise_id = ? ORDER BY id`,
      [caller.enterpriseId],
    );

  it("sends a changed ticket by default, signed and marked as a test, and shows request and response", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    hook.receiver.answerWith([
      { status: 202, headers: { "X-Got": "it", "Set-Cookie": "a=b" }, body: "thanks" },
    ]);
    const { status, body } = await call(caller, id);
    expect(status).to.equal(200);
    const [request] = hook.receiver.requests;
    expect(request?.json()).to.deep.include({ event: "update", object: "ticket" });
    expect(request?.headers).to.include({ "webhook-test": "true", "x-key": "s3cret" });
    new Webhook(testSecret).verify(request?.text ?? "", request?.headers as Record<string, string>);
    expect(body["event_id"]).to.equal(request?.id);
    expect(body["sent"]).to.deep.include({
      url: `http://127.0.0.1:${hook.receiver.port}/••••`,
      body: request?.text,
    });
    expect(body["sent"].headers).to.include({ "webhook-test": "true", "X-Key": "••••" });
    expect(body["result"]).to.include({
      code: 202,
      error: null,
      error_detail: null,
      body: "thanks",
    });
    expect(body["result"].headers).to.include({ "x-got": "it", "set-cookie": "••••" });
    expect(body["result"].phases.total).to.equal(body["result"].ms);
    expect(JSON.stringify(body)).to.not.include("s3cret");
  });

  it("sends the kind of event that a filter selects", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    await call(caller, id, { filter: "conversationevent.create:media.OCRDone" });
    expect(hook.receiver.requests[0]?.json()).to.deep.include({
      object: "conversationevent",
      props: {
        eventType: "media.OCRDone",
        eventCode: 41,
        ticketId: 1001,
        conversationId: 2,
        text: "SN 4711",
      },
    });
  });

  it("sends a past event byte for byte, under a new id", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    const text =
      '{"event":"create","time":1,"object":"ticket","objectId":7,"props":{"b":1,"a":"Zoë"}}';
    const event = await anEvent(database.db, { enterprise_id: caller.enterpriseId, body: text });
    const { status, body } = await call(caller, id, { event_id: event.event_id });
    expect(status).to.equal(200);
    expect(hook.receiver.requests[0]?.text).to.equal(text);
    expect(body["event_id"]).to.match(/^evt_/u).and.not.equal(event.event_id);
    expect(body["webhook_id"], "the old name").to.equal(body["event_id"]);
    await call(caller, id, { event: event.event_id });
    expect(hook.receiver.requests[1]?.text, "by the old name").to.equal(text);
  });

  it("writes an audit entry, and nothing to the ledger", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    await call(caller, id, { filter: "ticket.create" });
    const deliveries = await rowsOf(
      database.db,
      "SELECT 1 FROM deliveries WHERE subscription_id = ?",
      [id],
    );
    expect(deliveries).to.deep.equal([]);
    expect(await auditOf(caller)).to.deep.equal([
      {
        action: "test",
        object_id: String(id),
        changes: { test: { to: "ticket.create" } },
        user_id: caller.userId,
      },
    ]);
  });

  it("works for a disabled webhook with a URL", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    await change(id, "is_active = false");
    expect((await call(caller, id)).body["result"].code).to.equal(200);
    await change(id, "url = NULL");
    const without = await call(caller, id);
    expect(without.status).to.equal(409);
    expect(without.body["detail"]).to.equal(`Webhook ${id} has no url yet.`);
  });

  it("is rejected for a pull webhook", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    await change(id, "mode = 'pull', url = NULL");
    const { status, body } = await call(caller, id);
    expect(status).to.equal(409);
    expect(body["detail"]).to.contain("is in pull mode");
  });

  it("shows why there was no answer", async () => {
    const caller = await signIn();
    hook.receiver.answerWith(["reset"]);
    const { status, body } = await call(caller, await aWebhook(caller));
    expect(status).to.equal(200);
    expect(body["result"]).to.deep.include({
      code: null,
      error: "reset",
      error_detail: "The connection was closed before a response (ECONNRESET)",
      headers: null,
      body: null,
    });
  });

  it("rejects anything but a single kind of event, and a choice of two", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    for (const body of [
      { filter: "ticket.*" },
      { filter: "nonsense" },
      { event: "nonsense" },
      { filter: "ticket.create", event_id: "evt_1" },
      { object: "ticket" },
    ]) {
      expect((await call(caller, id, body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect(hook.receiver.requests).to.have.length(0);
    expect(await auditOf(caller)).to.deep.equal([]);
  });

  it("finds only webhooks and events of the own enterprise", async () => {
    const [caller, stranger] = [await signIn(), await signIn()];
    const id = await aWebhook(caller);
    const event = await anEvent(database.db, { enterprise_id: stranger.enterpriseId });
    expect((await call(stranger, id)).body["detail"]).to.equal(`Webhook ${id} was not found.`);
    const foreign = await call(caller, id, { event_id: event.event_id });
    expect(foreign.status).to.equal(404);
    expect(foreign.body["detail"]).to.equal(`Event ${event.event_id} was not found.`);
    await change(id, "is_active = false, deleted_at = now()");
    expect((await call(caller, id)).status).to.equal(404);
    expect(hook.receiver.requests).to.have.length(0);
    expect(await auditOf(caller)).to.deep.equal([]);
  });

  it("does not send a redacted event", async () => {
    const caller = await signIn();
    const id = await aWebhook(caller);
    const more = { enterprise_id: caller.enterpriseId, body: "", expunged_at: new Date() };
    const event = await anEvent(database.db, more);
    const { status, body } = await call(caller, id, { event_id: event.event_id });
    expect(status).to.equal(409);
    expect(body["detail"]).to.equal(`The content of event ${event.event_id} was removed.`);
  });

  it("runs at most four at once per enterprise, and answers 429 to the fifth", async () => {
    const [caller, other] = [await signIn(), await signIn()];
    const id = await aWebhook(caller);
    hook.receiver.answerWith(["hang"]);
    const waiting = Array.from({ length: 4 }, () => call(caller, id));
    await hook.receiver.sees(4);
    const fifth = await call(caller, id);
    expect(fifth.status).to.equal(429);
    expect(fifth.headers.get("retry-after")).to.equal("5");
    hook.receiver.answerWith([200]);
    expect((await call(other, await aWebhook(other))).status).to.equal(200);
    const ended = await Promise.all(waiting);
    expect(ended.map(({ body }) => body["result"].error)).to.deep.equal(
      Array(4).fill("timeout_response"),
    );
    expect((await call(caller, id)).status).to.equal(200);
  });

  it("requires the permission to change webhooks", async () => {
    for (const role of ["viewer", "agent", "manager"] as const) {
      const caller = await signIn(role);
      expect((await call(caller, await aWebhook(caller))).status, role).to.equal(403);
    }
    const integration = await signIn("integration");
    expect((await call(integration, await aWebhook(integration))).status).to.equal(200);
  });
});
