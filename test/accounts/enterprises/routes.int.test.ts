import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { password, useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, aService, aUser } from "../../support/factories.ts";

const someTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u;

describe("enterprises API", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  const { call, aMember, auditOf } = accounts;
  let admin: Member;
  let root: Member;
  beforeEach(async () => {
    admin = await aMember();
    root = await aMember({ role: "superadmin" });
  });

  const manage = (id: number, by: number) =>
    database.db.raw("UPDATE enterprises SET managed_by = ? WHERE id = ?", [by, id]);
  const own = () => `/enterprises/${admin.enterprise_id}`;
  const patch = (json: object, as = admin, path = own()) => call(`PATCH ${path}`, { as, json });

  it("returns all fields of an enterprise", async () => {
    const { status, body } = await call(`GET ${own()}`, { as: admin });
    const [row] = await rowsOf<{ name: string; api_key: string }>(
      database.db,
      "SELECT name, api_key FROM enterprises WHERE id = ?",
      [admin.enterprise_id],
    );
    expect(status).to.equal(200);
    expect(body["created"]).to.match(someTime);
    expect(body["modified"]).to.match(someTime);
    expect(body).to.deep.equal({
      id: admin.enterprise_id,
      name: row?.name,
      apiKey: row?.api_key,
      time_zone: "Europe/Paris",
      language: "en",
      sip_phone_number: "",
      sms_sender: "",
      mail_provider: null,
      sms_provider: null,
      solution_enabled: true,
      managed_by: null,
      quotas: { max_users: null, max_media_bytes: null, max_sms_per_day: 500 },
      retention: { payload_days: null, log_days: null },
      created: body["created"],
      modified: body["modified"],
    });
  });

  it("lists their own and managed enterprises for an admin, and all for a superadmin", async () => {
    const managed = await anEnterprise(database.db, { name: `Managed ${admin.id}` });
    await manage(managed.id, admin.enterprise_id);
    const mine = await call("GET /enterprises?order=asc", { as: admin });
    expect(mine.body["total"]).to.equal(2);
    expect(mine.body["data"].map(({ id }: { id: number }) => id)).to.deep.equal([
      admin.enterprise_id,
      managed.id,
    ]);
    const found = await call(`GET /enterprises?search=managed%20${admin.id}`, { as: root });
    expect(found.body["data"].map(({ id }: { id: number }) => id)).to.deep.equal([managed.id]);
    const every = await call("GET /enterprises?limit=1", { as: root });
    const [row] = await rowsOf<{ count: number }>(
      database.db,
      "SELECT count(*) AS count FROM enterprises",
    );
    expect(every.body["total"]).to.equal(row?.count);
    expect(every.headers.get("x-total-count")).to.equal(String(row?.count));
    expect((await call("GET /enterprises?limit=101", { as: root })).status).to.equal(400);
  });

  it("hides all other enterprises on every path", async () => {
    const other = await anEnterprise(database.db);
    const agent = await aMember({ enterprise_id: admin.enterprise_id, role: "agent" });
    const at = `/enterprises/${other.id}`;
    for (const [what, json] of [
      [`GET ${at}`, undefined],
      [`PATCH ${at}`, { name: "x" }],
      [`GET ${at}/users`, undefined],
      [`GET ${at}/services`, undefined],
      [`GET ${at}/statistics`, undefined],
      [`GET ${at}/quota`, undefined],
      [`GET ${at}/user-groups`, undefined],
      [`POST ${at}/user-groups`, { name: "x" }],
      [`PATCH ${at}/user-groups/1`, { name: "x" }],
      [`DELETE ${at}/user-groups/1`, undefined],
      [`GET ${at}/domains`, undefined],
      [`POST ${at}/domains`, { domain: "a.example" }],
      [`DELETE ${at}/domains/1`, undefined],
    ] as const) {
      const { body } = await call(what, { as: admin, json });
      expect(body, what).to.include({ status: 404, code: 8 });
      const refused = await call(what, { as: agent, json });
      expect(refused.body, what).to.include({ status: 403, code: 6 });
    }
    await manage(other.id, admin.enterprise_id);
    const renamed = await patch({ name: "Managed" }, admin, at);
    expect(renamed.body).to.include({ id: other.id, name: "Managed" });
    expect(await auditOf(other.id)).to.deep.equal([
      {
        user_id: admin.id,
        login: admin.login,
        action: "update",
        object: "enterprise",
        object_id: String(other.id),
        changes: { name: { from: other.name, to: "Managed" } },
      },
    ]);
  });

  it("accepts valid settings and rejects invalid ones", async () => {
    const settings = {
      name: "Acme",
      time_zone: "America/New_York",
      language: "de",
      sip_phone_number: "0033612345678",
      sms_sender: "Acme",
      mail_provider: "smtp",
      sms_provider: "twilio",
    };
    const { status, body } = await patch(settings);
    expect(status).to.equal(200);
    expect(body).to.include({ ...settings, sip_phone_number: "+33612345678" });
    const cleared = await patch({ sip_phone_number: "", mail_provider: null, sms_sender: "" });
    expect(cleared.body).to.include({
      ...settings,
      sip_phone_number: "",
      mail_provider: null,
      sms_sender: "",
    });
    for (const [json, field] of [
      [{ name: "" }, "name"],
      [{ time_zone: "Mars/Olympus" }, "time_zone"],
      [{ time_zone: "+02:00" }, "time_zone"],
      // For Postgres an abbreviation, without summer time.
      [{ time_zone: "CET" }, "time_zone"],
      [{ language: "xx" }, "language"],
      [{ sip_phone_number: "12" }, "sip_phone_number"],
      [{ sms_sender: "far too long name" }, "sms_sender"],
      [{ sms_provider: "pigeon" }, "sms_provider"],
      [{ apiKey: "0" }, "apiKey"],
    ] as const) {
      const refused = await patch(json);
      expect(refused.body).to.include({ status: 400, code: 10, details: `Parameter ${field}` });
    }
  });

  it("accepts the deprecated provider `outbox` as `dev`", async () => {
    const { status, body } = await patch({ mail_provider: "outbox", sms_provider: "outbox" });
    expect(status).to.equal(200);
    expect(body).to.include({ mail_provider: "dev", sms_provider: "dev" });
  });

  it("lets only superadmins change quotas, subscription and manager", async () => {
    for (const json of [
      { quotas: { max_users: 5 } },
      { solution_enabled: false },
      { managed_by: null },
    ]) {
      expect((await patch(json)).body).to.include({ status: 403, code: 6 });
    }
    const quotas = { max_users: 5, max_media_bytes: 1_000, max_sms_per_day: 0 };
    const change = { quotas, solution_enabled: false, managed_by: root.enterprise_id };
    const { status, body } = await patch(change, root);
    expect(status).to.equal(200);
    expect(body).to.deep.include(change);
    expect((await call("GET /users/me", { as: admin })).body).to.include({ code: 18 });
    for (const managed_by of [admin.enterprise_id, 999_999]) {
      const refused = await patch({ managed_by }, root);
      expect(refused.body).to.include({ status: 400, details: "Parameter managed_by" });
    }
  });

  it("keeps superadmins from locking themselves out by ending their own subscription", async () => {
    const path = `/enterprises/${root.enterprise_id}`;
    const refused = await patch({ solution_enabled: false }, root, path);
    expect(refused.body).to.include({ status: 400, details: "Parameter solution_enabled" });
    expect((await patch({ solution_enabled: true }, root, path)).status).to.equal(200);
  });

  it("lets administrators set the retention of webhook data", async () => {
    const first = await patch({ retention: { payload_days: 1, log_days: 400 } });
    expect(first.body["retention"]).to.deep.equal({ payload_days: 1, log_days: 400 });
    const second = await patch({ retention: { payload_days: null } });
    expect(second.body["retention"]).to.deep.equal({ payload_days: null, log_days: 400 });
    const third = await patch({ retention: { log_days: 4 } });
    expect(third.body["retention"]).to.deep.equal({ payload_days: null, log_days: 4 });
    const [entry] = await rowsOf<{ changes: unknown }>(
      database.db,
      "SELECT changes FROM audit_entries WHERE object = 'enterprise' ORDER BY id DESC LIMIT 1",
    );
    expect(entry?.changes).to.deep.equal({ log_days: { from: 400, to: 4 } });
    for (const retention of [
      { payload_days: 0 },
      { payload_days: 401 },
      { payload_days: 1.5 },
      { log_days: 3 },
      { log_days: 401 },
      { days: 7 },
    ]) {
      const refused = await patch({ retention });
      expect(refused.body, JSON.stringify(retention)).to.include({ status: 400, code: 10 });
    }
  });

  it("creates an enterprise with an administrator and two services, for superadmins only", async () => {
    const login = `boss-${admin.id}@test.example`;
    const json = {
      name: "New",
      time_zone: "Europe/Berlin",
      quotas: { max_users: 3 },
      admin: { login, firstname: "Bo", password },
    };
    expect((await call("POST /enterprises", { as: admin, json })).body).to.include({ code: 6 });
    const { status, headers, body } = await call("POST /enterprises", { as: root, json });
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api/enterprises/${body["id"]}`);
    expect(body).to.include({ name: "New", time_zone: "Europe/Berlin", language: "en" });
    expect(body["quotas"]).to.include({ max_users: 3 });
    expect(body["apiKey"]).to.match(/^[0-9a-f]{32}$/u);
    const signedIn = await accounts.jsonOf(await accounts.login({ username: login }));
    const as = { token: String(signedIn["access_token"]) };
    const users = await call(`GET /enterprises/${body["id"]}/users`, { as });
    expect(users.body["data"]).to.have.length(1);
    expect(users.body["data"][0]).to.include({ login, role: "admin", isAgent: false });
    const services = await call("GET /services?order=asc&orderby=id", { as });
    const made = services.body["data"].map(
      (one: { id: number; name: string; kind: string }) => one,
    );
    expect(
      made.map(({ name, kind }: { name: string; kind: string }) => [name, kind]),
    ).to.deep.equal([
      ["Video assistance", "ticket"],
      ["Video meeting", "conference"],
    ]);
    const buttons = await call(`GET /services/${made[0].id}/buttons`, { as });
    expect(buttons.body["total"]).to.equal(1);
    const audit = await auditOf(Number(body["id"]));
    expect(audit.map(({ action, object }) => `${action} ${object}`)).to.deep.equal([
      "create enterprise",
      "create user",
    ]);
  });

  it("creates nothing if the first administrator is invalid", async () => {
    const before = await rowsOf(database.db, "SELECT FROM enterprises");
    const json = { name: "Half", admin: { login: admin.login, password } };
    const taken = await call("POST /enterprises", { as: root, json });
    expect(taken.body).to.include({ status: 409, details: "Parameter login" });
    const weak = { name: "Half", admin: { login: "x", password: "weak" } };
    expect((await call("POST /enterprises", { as: root, json: weak })).status).to.equal(400);
    const zone = { name: "Half", time_zone: "x", admin: { login: "x", password } };
    expect((await call("POST /enterprises", { as: root, json: zone })).status).to.equal(400);
    const after = await rowsOf(database.db, "SELECT FROM enterprises");
    expect(after).to.have.length(before.length);
  });

  it("lists users and services of a managed enterprise", async () => {
    const managed = await anEnterprise(database.db, { managed_by: admin.enterprise_id });
    const user = await aUser(database.db, { enterprise_id: managed.id });
    const service = await aService(database.db, { enterprise_id: managed.id });
    const users = await call(`GET /enterprises/${managed.id}/users`, { as: admin });
    expect(users.body["data"].map(({ id }: { id: number }) => id)).to.deep.equal([user.id]);
    const services = await call(`GET /enterprises/${managed.id}/services`, { as: admin });
    expect(services.body["data"].map(({ id }: { id: number }) => id)).to.deep.equal([service.id]);
    expect(services.headers.get("x-total-count")).to.equal("1");
  });
});
