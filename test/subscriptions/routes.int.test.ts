import { expect } from "chai";
import { secretsAad } from "../../src/contracts/subscriptions.ts";
import type { Caller } from "../../src/http/route.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { settings } from "../../src/subscriptions/settings/table.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aSubscription } from "../support/factories.ts";
import { aCaller, startWebhookApi, type Call, type WebhookApi } from "../support/webhook-api.ts";

const url = "https://receiver.example/hook";
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

describe("webhooks API", () => {
  const database = useDatabase();
  let api: WebhookApi;
  let admin: Caller;
  let call: Call;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  beforeEach(async () => {
    admin = await aCaller(database.db);
    call = api.as(admin);
  });
  after(async () => {
    await api.close();
  });

  it("creates a webhook and shows its secret once", async () => {
    const { status, body, headers } = await call("POST", "/webhooks", {
      name: "CRM",
      url: "https://RECEIVER.example:443/a/../hook",
      active: true,
      ordered: true,
      maxInFlight: 5,
      filters: ["ticket.*", "conversationevent.create:media.OCRDone"],
      headers: [{ name: "X-Key", value: "topsecret" }],
    });
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api/webhooks/${body["id"]}`);
    expect(body["created"]).to.match(timestamp);
    expect(body["modified"]).to.match(timestamp);
    expect(body["secret"]).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = body;
    const defaults = settings.map(({ name, defaultValue }) => [name, defaultValue]);
    expect(shown).to.deep.equal({
      ...Object.fromEntries(defaults),
      id: body["id"],
      name: "CRM",
      url,
      active: true,
      ordered: true,
      maxInFlight: 5,
      filters: ["ticket.*", "conversationevent.create:media.OCRDone"],
      headers: [{ name: "X-Key", value: "••••" }],
      secrets: [{ until: null }],
      publicKeys: [],
      undecryptable: [],
      created: body["created"],
      modified: body["modified"],
      disabled_reason: null,
      last_success: null,
      last_failure: null,
      failing_since: null,
      health: {
        state: "ok",
        window: 5,
        failures_in_row: 0,
        last_code: null,
        last_error: null,
        throttled_until: null,
        next_probe: null,
        warned: null,
        pulled_to: null,
        pulled_at: null,
      },
    });
    expect((await call("GET", `/webhooks/${body["id"]}`)).body).to.deep.equal(shown);
    expect((await call("GET", "/webhooks")).body).to.deep.equal({ total: 1, data: [shown] });
    expect(secret).to.not.equal(undefined);
  });

  it("creates an inactive webhook without filters by default", async () => {
    const { status, body } = await call("POST", "/webhooks", {});
    expect(status).to.equal(201);
    expect(body).to.deep.include({
      name: "",
      url: null,
      active: false,
      ordered: false,
      maxInFlight: null,
      filters: [],
      headers: [],
    });
  });

  it("stores header values and secrets encrypted, bound to their row", async () => {
    const input = {
      secret: `whsec_${Buffer.alloc(24, 5).toString("base64")}`,
      headers: [{ name: "X-Key", value: "topsecret" }],
    };
    const { body } = await call("POST", "/webhooks", input);
    expect(body["secret"]).to.equal(input.secret);
    const [row] = await rowsOf<{ headers_sealed: Buffer; secret_sealed: Buffer; all: string }>(
      database.db,
      `SELECT headers_sealed, secret_sealed, s::text AS all FROM subscriptions s WHERE id = ?`,
      [body["id"]],
    );
    const place = secretsAad(admin.enterpriseId, Number(body["id"]));
    expect(row?.headers_sealed.toString("latin1")).to.not.contain("topsecret");
    expect(row?.all).to.not.contain(input.secret.slice(6));
    expect(JSON.parse(api.secretBox.open(row?.secret_sealed ?? Buffer.of(), place))).to.deep.equal([
      { secret: input.secret, until: null },
    ]);
  });

  it("changes only the given fields and updates the time of the change", async () => {
    const { body: before } = await call("POST", "/webhooks", { name: "A", url, filters: ["*"] });
    await rowsOf(
      database.db,
      "UPDATE subscriptions SET modified_at = now() - interval '1 day' WHERE id = ?",
      [before["id"]],
    );
    const { status, body } = await call("PATCH", `/webhooks/${before["id"]}`, { name: "B" });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ name: "B", url, filters: ["*"], active: false });
    expect(body).to.not.have.property("secret");
    expect(Date.now() - Date.parse(String(body["modified"]))).to.be.lessThan(60_000);
  });

  it("lets a client send back the masked headers it read, and keeps their values", async () => {
    const headers = [
      { name: "X-Key", value: "topsecret" },
      { name: "X-Old", value: "old" },
    ];
    const { body } = await call("POST", "/webhooks", { headers });
    const [shownKey] = body["headers"] as unknown[];
    const changed = await call("PATCH", `/webhooks/${body["id"]}`, {
      headers: [shownKey, { name: "X-New", value: "new" }],
    });
    expect(changed.status).to.equal(200);
    const stored = await api.service.get({ ...admin }, Number(body["id"]));
    expect(stored.headers).to.deep.equal([
      { name: "X-Key", value: "topsecret" },
      { name: "X-New", value: "new" },
    ]);
  });

  it("does not send stored header values to a url at another origin", async () => {
    const headers = [{ name: "X-Key", value: "topsecret" }];
    const { body } = await call("POST", "/webhooks", { url, headers });
    const path = `/webhooks/${body["id"]}`;
    const other = "https://other.example/hook";
    for (const change of [{ url: other }, { url: other, headers: body["headers"] }]) {
      const refused = await call("PATCH", path, change);
      expect(refused.status).to.equal(400);
      expect(refused.body["errors"]).to.deep.equal([{ field: "headers", reason: "masked" }]);
    }
    expect((await call("GET", path)).body["url"]).to.equal(url);
    const value = [{ name: "X-Key", value: "new" }];
    expect((await call("PATCH", path, { url: other, headers: value })).status).to.equal(200);
    const stored = await api.service.get({ ...admin }, Number(body["id"]));
    expect(stored).to.deep.include({ url: other, headers: value });
  });

  it("deletes softly: gone for the API, kept for the ledger, without its header values", async () => {
    const { body } = await call("POST", "/webhooks", {
      url,
      active: true,
      headers: [{ name: "X-Key", value: "v" }],
    });
    const path = `/webhooks/${body["id"]}`;
    expect((await call("DELETE", path)).status).to.equal(204);
    for (const answer of [
      await call("GET", path),
      await call("PATCH", path, { name: "x" }),
      await call("DELETE", path),
      await call("GET", `${path}/health`),
    ]) {
      expect(answer.status).to.equal(404);
      expect(answer.body["code"]).to.equal(8);
    }
    expect((await call("GET", "/webhooks")).body["total"]).to.equal(0);
    const [row] = await rowsOf(
      database.db,
      `SELECT is_active, deleted_at IS NOT NULL AS is_deleted, headers_sealed
       FROM subscriptions WHERE id = ?`,
      [body["id"]],
    );
    expect(row).to.deep.equal({ is_active: false, is_deleted: true, headers_sealed: null });
  });

  it("requires a URL to be active", async () => {
    const missing = { status: 400, code: 9, details: "Parameter url" };
    const check = async (answer: Promise<{ status: number; body: object }>): Promise<void> => {
      const { status, body } = await answer;
      expect({ status, ...body }).to.include(missing);
    };
    await check(call("POST", "/webhooks", { active: true }));
    const { body } = await call("POST", "/webhooks", {});
    await check(call("PATCH", `/webhooks/${body["id"]}`, { active: true }));
    await call("PATCH", `/webhooks/${body["id"]}`, { active: true, url });
    await check(call("PATCH", `/webhooks/${body["id"]}`, { url: null }));
  });

  it("allows 20 webhooks per enterprise, even with concurrent requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => call("POST", "/webhooks", {})),
    );
    const refused = answers.filter((answer) => answer.status === 403);
    expect(refused.map((answer) => answer.body["code"])).to.deep.equal([16, 16, 16, 16]);
    const { body } = await call("GET", "/webhooks");
    expect(body["total"]).to.equal(20);
    await call("DELETE", `/webhooks/${(body["data"] as { id: number }[])[0]?.id}`);
    expect((await call("POST", "/webhooks", {})).status).to.equal(201);
  });

  it("hides other enterprises' webhooks and their health", async () => {
    const stranger = api.as(await aCaller(database.db));
    const { body } = await stranger("POST", "/webhooks", { url });
    const path = `/webhooks/${body["id"]}`;
    for (const answer of [
      await call("GET", path),
      await call("PATCH", path, { name: "mine" }),
      await call("DELETE", path),
      await call("GET", `${path}/health`),
    ]) {
      expect(answer.status).to.equal(404);
    }
    expect((await call("GET", "/webhooks")).body["total"]).to.equal(0);
    expect((await stranger("GET", path)).body["name"]).to.equal("");
  });

  it("requires an administrator or an integration", async () => {
    const { id } = await anEnterprise(database.db);
    const own = await aSubscription(database.db, { enterprise_id: id, is_active: false });
    const statuses: Record<string, number[]> = {};
    for (const role of [
      "viewer",
      "agent",
      "manager",
      "admin",
      "integration",
      "superadmin",
    ] as const) {
      const callAs = api.as(await aCaller(database.db, role, id));
      const answers = [
        await callAs("GET", "/webhooks/event-types"),
        await callAs("GET", "/webhooks"),
        await callAs("POST", "/webhooks", {}),
        await callAs("GET", `/webhooks/${own.id}/health`),
      ];
      statuses[role] = answers.map((answer) => answer.status);
    }
    expect(statuses).to.deep.equal({
      viewer: [403, 403, 403, 403],
      agent: [403, 403, 403, 403],
      manager: [403, 403, 403, 403],
      admin: [200, 200, 201, 200],
      integration: [200, 200, 201, 200],
      superadmin: [200, 200, 201, 200],
    });
  });

  it("shows the catalogue of event types beside the webhooks", async () => {
    const { status, body } = await call("GET", "/webhooks/event-types");
    expect(status).to.equal(200);
    expect(body).to.have.keys("objects", "eventTypes");
  });

  it("notifies the pipeline of every change and of nothing else", async () => {
    const start = api.changes;
    const { body } = await call("POST", "/webhooks", { url });
    await call("PATCH", `/webhooks/${body["id"]}`, { active: true });
    await call("GET", `/webhooks/${body["id"]}`);
    await call("PATCH", `/webhooks/${body["id"]}`, { url: "nonsense" });
    await call("DELETE", `/webhooks/${body["id"]}`);
    expect(api.changes - start).to.equal(3);
  });
});
