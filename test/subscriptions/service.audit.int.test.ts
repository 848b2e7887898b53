import { readFileSync } from "node:fs";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { settings } from "../../src/subscriptions/settings/table.ts";
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

  it("records who created, changed and deleted one, without secrets", async () => {
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
          ...Object.fromEntries(settings.map(({ name }) => [name, { to: body[name] }])),
          url: { to: shown },
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

  it("records each changed setting, and identifies credentials", async () => {
    const admin = await aCaller(database.db);
    const call = api.as(admin);
    const { body } = await call("POST", "/webhooks", { url: "https://receiver.example/" });
    const oauth2 = {
      tokenUrl: "https://receiver.example/token?key=s3cret",
      clientId: "sightline",
      clientSecret: "s3cret",
    };
    const tls = new URL("../fixtures/tls/", import.meta.url);
    const clientCertificate = {
      certificate: readFileSync(new URL("client-a.pem", tls), "utf8"),
      key: readFileSync(new URL("client-a.key", tls), "utf8"),
    };
    const conditions = { "props.state": "new" };
    await call("PATCH", `/webhooks/${body["id"]}`, {
      maxPerSecond: 3,
      retrySchedule: [5],
      conditions,
      signatures: ["v1", "v1a"],
      headerPresets: ["github"],
      oauth2,
      clientCertificate,
    });
    await call("PATCH", `/webhooks/${body["id"]}`, { oauth2: { ...oauth2, clientSecret: "n3w" } });
    const [, entry, last] = (await auditOf(admin.enterpriseId)) as { changes: object }[];
    const client = {
      ...oauth2,
      tokenUrl: "https://receiver.example/••••",
      clientSecret: "••••",
      scope: null,
      audience: null,
      authentication: "basic",
    };
    expect(entry?.changes).to.deep.equal({
      maxPerSecond: { from: null, to: 3 },
      retrySchedule: { from: null, to: [5] },
      conditions: { from: null, to: conditions },
      signatures: { from: ["v1"], to: ["v1", "v1a"] },
      headerPresets: { from: [], to: ["github"] },
      oauth2: { from: null, to: client },
      clientCertificate: {
        from: null,
        to: { subject: "CN=client-a", expires: "2099-01-01T00:00:00+00:00", key: "••••" },
      },
    });
    // The entry shows that the secret changed, but not its value.
    expect(last?.changes).to.deep.equal({ oauth2: { from: client, to: client } });
  });

  it("records nothing about rejected changes", async () => {
    const admin = await aCaller(database.db);
    const call = api.as(admin);
    const refused = await call("POST", "/webhooks", { url: "https://inside.example/x" });
    expect(refused.status).to.equal(400);
    expect((await call("DELETE", "/webhooks/999999")).status).to.equal(404);
    expect(await auditOf(admin.enterpriseId)).to.deep.equal([]);
  });
});
