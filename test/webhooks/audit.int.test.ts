import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aCaller, startWebhookApi, type WebhookApi } from "../support/webhook-api.ts";

describe("audit of webhooks", () => {
  const database = useDatabase();
  let api: WebhookApi;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  after(() => api.close());

  const auditOf = (enterpriseId: number) =>
    rowsOf(
      database.db,
      `SELECT user_id, login, action, object, object_id, changes,
         request_id IS NOT NULL AS has_request
       FROM audit_entries WHERE enterprise_id = ? ORDER BY id`,
      [enterpriseId],
    );

  it("keeps who created, changed and deleted one, and no secret", async () => {
    const admin = await aCaller(database.db);
    const call = api.as(admin);
    const url = "https://receiver.example/hook/k3y?token=s3cret";
    const headers = [{ name: "X-Key", value: "s3cret" }];
    const { body } = await call("POST", "/webhooks", {
      name: "CRM",
      url,
      active: true,
      filters: ["ticket.*"],
      headers,
    });
    await call("PATCH", `/webhooks/${body["id"]}`, {
      url: "https://receiver.example/other",
      active: false,
    });
    await call("DELETE", `/webhooks/${body["id"]}`);
    const entries = await auditOf(admin.enterpriseId);
    const who = {
      user_id: admin.userId,
      login: admin.login,
      object: "webhook",
      object_id: String(body["id"]),
      has_request: true,
    };
    const shown = "https://receiver.example/••••";
    expect(entries).to.deep.equal([
      {
        ...who,
        action: "create",
        changes: {
          name: { to: "CRM" },
          url: { to: shown },
          active: { to: true },
          ordered: { to: body["ordered"] },
          maxInFlight: { to: body["maxInFlight"] },
          filters: { to: ["ticket.*"] },
          headers: { to: ["X-Key"] },
          secret: { to: "••••" },
        },
      },
      {
        ...who,
        action: "update",
        changes: { url: { from: shown, to: shown }, active: { from: true, to: false } },
      },
      { ...who, action: "delete", changes: {} },
    ]);
    const text = JSON.stringify(entries);
    expect(text).to.not.contain("s3cret").and.not.contain("k3y").and.not.contain(body["secret"]);
  });

  it("keeps nothing of what was refused", async () => {
    const admin = await aCaller(database.db);
    const call = api.as(admin);
    const refused = await call("POST", "/webhooks", { url: "https://inside.example/x" });
    expect(refused.status).to.equal(400);
    expect((await call("DELETE", "/webhooks/999999")).status).to.equal(404);
    expect(await auditOf(admin.enterpriseId)).to.deep.equal([]);
  });
});
