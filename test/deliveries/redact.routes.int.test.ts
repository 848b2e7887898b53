import { expect } from "chai";
import { createAudit } from "../../src/audit/audit-log.ts";
import type { Role } from "../../src/contracts/permissions.ts";
import type { Caller } from "../../src/http/route.ts";
import { deleteInboxEvent, insertRequests } from "../../src/inbox/store.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { redactRoutes, createRedactEvent } from "../../src/deliveries/redact.ts";
import { listInboxKeys } from "../../src/subscriptions/inbox.ts";
import { startApi, type TestApi } from "../support/api.ts";
import { createTestClock } from "../support/clock.ts";
import { useDatabase } from "../support/database.ts";
import { anEvent, aSubscription, type EventRow } from "../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, settleAll } from "../support/ledger.ts";
import { aCaller } from "../support/webhook-api.ts";

describe("POST /webhooks/events/{eventId}/expunge", () => {
  const database = useDatabase();
  const clock = createTestClock(new Date("2026-11-22T12:00:00.900Z"));
  const callers = new Map<string, Caller>();
  const secret = "the customer's secret";
  let api: TestApi;
  let admin: Caller;

  before(async () => {
    const { db } = database;
    const expunge = createRedactEvent({
      db,
      clock,
      audit: createAudit(),
      deleteFromInboxes: async (trx, enterpriseId, event) =>
        deleteInboxEvent(trx, await listInboxKeys(trx, enterpriseId), event),
    });
    api = await startApi({
      routes: redactRoutes(expunge),
      authenticate: async (token) => {
        const caller = callers.get(token);
        return caller && { caller, hasSolution: true };
      },
    });
  });
  beforeEach(async () => {
    admin = await aCaller(database.db);
  });
  after(async () => {
    await api.close();
  });

  const expunge = async (eventId: string, as = admin) => {
    callers.set(as.token, as);
    const response = await fetch(`${api.url}/api/webhooks/events/${eventId}/expunge`, {
      method: "POST",
      headers: { authorization: `Bearer ${as.token}` },
    });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body };
  };
  const anOwnEvent = (): Promise<EventRow> =>
    anEvent(database.db, { enterprise_id: admin.enterpriseId, body: `{"text":"${secret}"}` });
  const entries = () =>
    rowsOf<{ login: string; object_id: string; changes: unknown }>(
      database.db,
      "SELECT user_id, login, action, object, object_id, changes FROM audit_entries WHERE enterprise_id = ? ORDER BY id",
      [admin.enterpriseId],
    );

  it("removes the content from all tables of webhooks, and audits it", async () => {
    const key = randomIds.base62(22);
    const { id: subscription } = await aSubscription(database.db, {
      enterprise_id: admin.enterpriseId,
      url: `https://sightline.example/inbox/${key}?a=b`,
    });
    const event = await anOwnEvent();
    const claimed = await claimAll(database.db, await fanOutAll(database.db));
    const record = { responseBody: secret, responseHeaders: { "x-echo": secret } };
    await settleAll(
      database.db,
      claimed.map((one) => {
        const settlement = aSettlement(one);
        return { ...settlement, record: { ...settlement.record, ...record } };
      }),
    );
    await insertRequests(database.db, [
      { key, headers: [["webhook-id", event.event_id]], body: secret, isVerified: true },
      // A test send of the event.
      {
        ...{ key, headers: [["webhook-id", randomIds.eventId()]], isVerified: true },
        body: `{"text":"${secret}"}`,
      },
    ]);
    const { status, body } = await expunge(event.event_id);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      id: event.event_id,
      expunged: "2026-11-22T12:00:00+00:00",
      cancelled: 0,
      under_way: 0,
    });
    const everything = await rowsOf<{ text: string }>(
      database.db,
      `SELECT e::text AS text FROM events e UNION ALL SELECT a::text FROM attempts a
       UNION ALL SELECT d::text FROM deliveries d UNION ALL SELECT r::text FROM inbox_requests r
       UNION ALL SELECT l::text FROM audit_entries l`,
    );
    expect(everything.length).to.be.greaterThan(3);
    expect(everything.map(({ text }) => text).join("\n")).to.not.contain("customer");
    const [kept] = await rowsOf(
      database.db,
      "SELECT body, object, object_id = '' AS nameless FROM events WHERE id = ?",
      [event.id],
    );
    expect(kept).to.deep.equal({ body: "", object: "ticket", nameless: false });
    expect(await entries()).to.deep.equal([
      {
        user_id: admin.userId,
        login: admin.login,
        action: "delete",
        object: "webhook",
        object_id: event.event_id,
        changes: { content: { from: "••••", to: "" } },
      },
    ]);
    expect(subscription).to.be.greaterThan(0);
  });

  it("cancels unsent deliveries, and reports those in flight", async () => {
    for (let i = 0; i < 3; i += 1) {
      await aSubscription(database.db, { enterprise_id: admin.enterpriseId });
    }
    const event = await anOwnEvent();
    const [first, ...rest] = await fanOutAll(database.db);
    expect(rest).to.have.lengthOf(2);
    await claimAll(database.db, first === undefined ? [] : [first]);
    const { body } = await expunge(event.event_id);
    expect(body).to.include({ cancelled: 3, under_way: 1 });
    expect(await claimAll(database.db, rest)).to.deep.equal([]);
  });

  it("is idempotent: same answer, first time, one audit entry", async () => {
    const event = await anOwnEvent();
    const first = await expunge(event.event_id);
    clock.advance(60_000);
    const second = await expunge(event.event_id);
    expect(second).to.deep.equal(first);
    expect(await entries()).to.have.lengthOf(1);
  });

  it("does not find events of another enterprise or unknown ones", async () => {
    const event = await anOwnEvent();
    const stranger = await aCaller(database.db);
    for (const refused of [
      await expunge(event.event_id, stranger),
      await expunge(randomIds.eventId()),
    ]) {
      expect(refused.body).to.include({ status: 404, code: 8 });
    }
    const [row] = await rowsOf(database.db, "SELECT body FROM events WHERE id = ?", [event.id]);
    expect(row).to.deep.equal({ body: `{"text":"${secret}"}` });
    expect((await expunge("7")).body).to.include({ status: 400, code: 10 });
  });

  it("requires the permission to change webhooks", async () => {
    const event = await anOwnEvent();
    for (const role of ["viewer", "agent", "manager"] as const satisfies readonly Role[]) {
      const as = await aCaller(database.db, role, admin.enterpriseId);
      expect((await expunge(event.event_id, as)).status, role).to.equal(403);
    }
    expect(await entries()).to.deep.equal([]);
  });

  it("retries while its rows are locked briefly", async () => {
    const { id } = await aSubscription(database.db, { enterprise_id: admin.enterpriseId });
    const event = await anOwnEvent();
    await fanOutAll(database.db);
    const holder = await database.db.transaction();
    await rowsOf(holder, "SELECT 1 FROM subscription_health WHERE subscription_id = ? FOR UPDATE", [
      id,
    ]);
    const answer = expunge(event.event_id);
    await rowsOf(holder, "SELECT pg_sleep(0.8)");
    await holder.commit();
    expect((await answer).body).to.include({ cancelled: 1 });
  });

  it("answers a conflict if its rows stay locked, and changes nothing", async function () {
    this.timeout(10_000);
    const event = await anOwnEvent();
    const holder = await database.db.transaction();
    await rowsOf(holder, "SELECT 1 FROM events WHERE id = ? FOR UPDATE", [event.id]);
    const { body } = await expunge(event.event_id);
    await holder.commit();
    expect(body).to.include({ status: 409, code: 11 });
    const [row] = await rowsOf(database.db, "SELECT expunged_at FROM events WHERE id = ?", [
      event.id,
    ]);
    expect(row).to.deep.equal({ expunged_at: null });
    expect(await entries()).to.deep.equal([]);
  });
});
