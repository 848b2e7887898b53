import { expect } from "chai";
import { findActiveUsers, findEnterpriseProfile } from "../../../src/accounts/recipients-store.ts";
import { createAudit } from "../../../src/audit/audit-log.ts";
import type { Caller } from "../../../src/http/route.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createEmailLinks } from "../../../src/subscriptions/alerts/confirmations.ts";
import { alertRoutes } from "../../../src/subscriptions/alerts/routes.ts";
import { createAlerts } from "../../../src/subscriptions/alerts/service.ts";
import { serveCallers, type CallersApi } from "../../support/callers-api.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { aSubscription, aUser } from "../../support/factories.ts";
import { aCaller } from "../../support/webhook-api.ts";

const day = 86_400_000;
const links = createEmailLinks({
  secretKey: Buffer.alloc(32, 7),
  baseUrl: "https://sightline.example",
});

type Mail = { enterpriseId: number; to: string; subject: string; text: string };

describe("settings of alerts", () => {
  const database = useDatabase();
  const clock = createTestClock(new Date("2026-11-25T10:00:00.000Z"));
  let api: CallersApi;
  let admin: Caller;
  let sent: Mail[] = [];
  before(async () => {
    const { db } = database;
    const alerts = createAlerts({
      ...{
        db,
        clock,
        links,
        findActiveUsers,
        findCompany: findEnterpriseProfile,
        audit: createAudit(),
      },
      queueMail: async (_trx, mail) => void sent.push(mail),
    });
    api = await serveCallers(alertRoutes(alerts));
  });
  after(() => api.close());
  beforeEach(async () => {
    sent = [];
    clock.set(new Date("2026-11-25T10:00:00.000Z"));
    admin = await aCaller(database.db);
  });

  const patch = (body: unknown, caller = admin) => api.as(caller)("PATCH", "/alerts", body);
  const get = (caller = admin) => api.as(caller)("GET", "/alerts");
  const open = (what: "confirm" | "stop", token: string) =>
    api.as(admin)("POST", `/alerts/emails/${what}`, { token });
  const tokenOf = (mail: Mail | undefined): string =>
    /#token=(\S+)/u.exec(mail?.text ?? "")?.[1] ?? "";
  const auditOf = (object: string) =>
    rowsOf<{ changes: Record<string, unknown>; login: string; object_id: string }>(
      database.db,
      `SELECT changes, login, object_id FROM audit_entries
       WHERE enterprise_id = ? AND object = ? ORDER BY id`,
      [admin.enterpriseId, object],
    );

  it("default to a mail to administrators after a day", async () => {
    expect((await get()).body).to.deep.equal({
      failing_minutes: 1440,
      past_due_minutes: 0,
      failed_deliveries: false,
      repeat_hours: 0,
      administrators: true,
      users: [],
      emails: [],
      webhooks: [],
    });
  });

  it("are changed one by one, per enterprise, with audit entries", async () => {
    const chosen = await aUser(database.db, { enterprise_id: admin.enterpriseId });
    const { status, body } = await patch({ past_due_minutes: 5, users: [chosen.id] });
    expect(status).to.equal(200);
    expect(body).to.include({ past_due_minutes: 5, failing_minutes: 1440 });
    await patch({ failing_minutes: 0, repeat_hours: 4, failed_deliveries: true });
    expect((await get()).body).to.deep.equal({
      ...{ failing_minutes: 0, past_due_minutes: 5, failed_deliveries: true, repeat_hours: 4 },
      ...{
        administrators: true,
        emails: [],
        webhooks: [],
        users: [{ id: chosen.id, login: chosen.login }],
      },
    });
    const stranger = await aCaller(database.db);
    expect((await get(stranger)).body).to.include({ past_due_minutes: 0, failing_minutes: 1440 });
    const [first, second] = await auditOf("alert");
    expect(first).to.deep.equal({
      login: admin.login,
      object_id: String(admin.enterpriseId),
      changes: { past_due_minutes: { from: 0, to: 5 }, users: { from: [], to: [chosen.id] } },
    });
    expect(Object.keys(second?.changes ?? {})).to.deep.equal([
      "failing_minutes",
      "failed_deliveries",
      "repeat_hours",
    ]);
  });

  it("reject numbers between 0 and the minimum, users of other enterprises, and invalid addresses", async () => {
    const stranger = await aCaller(database.db);
    const refused: [unknown, string][] = [
      [{ failing_minutes: 4 }, "failing_minutes"],
      [{ failing_minutes: 120 * 60 }, "failing_minutes"],
      [{ past_due_minutes: 1441 }, "past_due_minutes"],
      [{ repeat_hours: 169 }, "repeat_hours"],
      [{ users: [stranger.userId] }, "users[0]"],
      [{ emails: ["ops@partner.example", "nobody"] }, "emails[1]"],
      [{ emails: ["ops@partner.example\r\nBcc: x@y.example"] }, "emails[0]"],
    ];
    for (const [body, field] of refused) {
      const answer = await patch(body);
      expect(answer.status, JSON.stringify(body)).to.equal(400);
      expect(JSON.stringify(answer.body["errors"])).to.contain(field);
    }
    expect((await get()).body).to.include({ failing_minutes: 1440 });
    expect(sent).to.deep.equal([]);
  });

  it("require the permissions of webhooks", async () => {
    const agent = await aCaller(database.db, "agent", admin.enterpriseId);
    expect((await get(agent)).status).to.equal(403);
    expect((await patch({ repeat_hours: 1 }, agent)).status).to.equal(403);
    const integration = await aCaller(database.db, "integration", admin.enterpriseId);
    expect((await patch({ repeat_hours: 1 }, integration)).status).to.equal(200);
  });

  it("send one confirmation mail to a new address, which only the link confirms", async () => {
    await patch({ emails: ["ops@partner.example", "OPS@partner.example"] });
    await patch({ emails: ["ops@partner.example"] });
    expect(sent.map(({ to }) => to)).to.deep.equal(["ops@partner.example"]);
    expect((await get()).body["emails"]).to.deep.equal([
      { email: "ops@partner.example", confirmed: null },
    ]);
    const token = tokenOf(sent[0]);
    expect((await open("confirm", `${token.slice(0, -1)}!`)).status).to.equal(410);
    const { status, body } = await open("confirm", token);
    expect(status).to.equal(200);
    expect(body["email"]).to.equal("ops@partner.example");
    expect((await open("confirm", token)).status).to.equal(200);
    expect((await get()).body["emails"]).to.deep.equal([
      { email: "ops@partner.example", confirmed: "2026-11-25T10:00:00+00:00" },
    ]);
    const entries = await auditOf("alert");
    expect(entries.at(-1)).to.deep.include({
      login: "",
      changes: { confirmed: { to: "••••" } },
    });
    expect(entries[0]?.changes).to.deep.equal({ emails: { from: [], to: ["••••"] } });
  });

  it("remove an address that was unsubscribed, and invalidate its link", async () => {
    await patch({ emails: ["ops@partner.example"] });
    const token = tokenOf(sent[0]);
    await open("confirm", token);
    expect((await open("stop", token)).status).to.equal(204);
    expect((await get()).body["emails"]).to.deep.equal([]);
    expect((await open("stop", token)).status).to.equal(204);
    expect((await open("confirm", token)).status).to.equal(410);
  });

  it("expire confirmations after seven days", async () => {
    await patch({ emails: ["ops@partner.example"] });
    clock.set(new Date(clock.now().getTime() + 7 * day + 1_000));
    expect((await open("confirm", tokenOf(sent[0]))).status).to.equal(410);
  });

  it("send at most twenty confirmation mails a day, removed addresses included", async () => {
    const ten = (from: number) =>
      Array.from({ length: 10 }, (_, index) => `ops${from + index}@partner.example`);
    expect((await patch({ emails: ten(0) })).status).to.equal(200);
    expect((await patch({ emails: ten(10) })).status).to.equal(200);
    const { status, body } = await patch({ emails: ["one.more@partner.example"] });
    expect([status, body["details"]]).to.deep.equal([403, "Quota confirmations"]);
    expect((await get()).body["emails"]).to.have.length(10);
    expect(sent).to.have.length(20);
    clock.set(new Date(clock.now().getTime() + day));
    expect((await patch({ emails: ["one.more@partner.example"] })).status).to.equal(200);
  });

  it("of a webhook override the enterprise's until they are null again", async () => {
    const { id } = await aSubscription(database.db, { enterprise_id: admin.enterpriseId });
    const own = (method: string, body?: unknown, caller = admin) =>
      api.as(caller)(method, `/webhooks/${id}/alerts`, body);
    await patch({ past_due_minutes: 10 });
    const before = await own("GET");
    expect(before.body).to.deep.equal({
      ...{ failing_minutes: null, past_due_minutes: null, failed_deliveries: null },
      effective: { failing_minutes: 1440, past_due_minutes: 10, failed_deliveries: false },
    });
    const changed = await own("PATCH", { past_due_minutes: 0, failed_deliveries: true });
    expect(changed.body).to.deep.equal({
      ...{ failing_minutes: null, past_due_minutes: 0, failed_deliveries: true },
      effective: { failing_minutes: 1440, past_due_minutes: 0, failed_deliveries: true },
    });
    expect((await get()).body["webhooks"]).to.deep.equal([
      { id, failing_minutes: null, past_due_minutes: 0, failed_deliveries: true },
    ]);
    const back = await own("PATCH", { past_due_minutes: null, failed_deliveries: null });
    expect(back.body["effective"]).to.deep.equal(before.body["effective"]);
    expect((await get()).body["webhooks"]).to.deep.equal([]);
    expect((await own("PATCH", { failing_minutes: 3 })).status).to.equal(400);
    const stranger = await aCaller(database.db);
    expect((await own("GET", undefined, stranger)).status).to.equal(404);
    expect((await own("PATCH", { past_due_minutes: 1 }, stranger)).status).to.equal(404);
    const [entry] = await auditOf("webhook");
    expect(entry?.changes).to.deep.equal({
      pastDueMinutes: { from: null, to: 0 },
      failedDeliveries: { from: null, to: true },
    });
  });
});
