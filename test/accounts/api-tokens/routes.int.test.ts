import { expect } from "chai";
import { deleteExpiredSessions } from "../../../src/accounts/sessions/store.ts";
import { isApiToken } from "../../../src/accounts/identities.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { password, useAccounts, type CallAnswer, type Member } from "../../support/accounts-api.ts";
import { openBrowser } from "../../support/cookie-client.ts";
import { useDatabase } from "../../support/database.ts";

const path = "/users/me/api-tokens";

describe("API tokens", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  const { aMember, auditOf, call, me } = accounts;
  let owner: Member;
  beforeEach(async () => {
    owner = await aMember({ role: "admin", password_hash: accounts.passwordHash });
  });

  const make = (json: object = { name: "CRM" }, as: { token: string } = owner) =>
    call(`POST ${path}`, { as, json });
  const made = async (json?: object, as?: { token: string }): Promise<CallAnswer["body"]> => {
    const { status, body } = await make(json, as);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body;
  };
  const problemOf = ({ status, body }: CallAnswer) => [status, body["code"]];
  const works = async (token: string): Promise<boolean> => (await me(token)).status === 200;
  const age = async (id: number, sql: string): Promise<void> => {
    await database.db.raw(`UPDATE api_tokens SET ${sql} WHERE id = ?`, [id]);
  };

  it("are shown once, and are accepted in place of an access token", async () => {
    const { status, headers, body } = await make();
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api${path}/${body["id"]}`);
    expect(isApiToken(body["token"])).to.equal(true);
    expect(body["token"]).to.match(/^slt_[\w-]{43}$/u);
    expect(await works(body["token"])).to.equal(true);
    expect((await call("GET /users", { as: { token: body["token"] } })).status).to.equal(200);
    const list = await call(`GET ${path}`, { as: owner });
    expect(list.body).to.deep.equal({
      total: 1,
      data: [
        {
          id: body["id"],
          name: "CRM",
          user: { id: owner.id, login: owner.login },
          created: body["created"],
          expires_at: body["expires_at"],
          last_used_at: list.body["data"][0]["last_used_at"],
        },
      ],
    });
    expect(body["last_used_at"]).to.equal(null);
    expect(list.body["data"][0]["last_used_at"]).to.match(/^\d{4}-/u);
    const stored = await rowsOf(database.db, "SELECT * FROM api_tokens WHERE id = ?", [body["id"]]);
    expect(JSON.stringify(stored)).to.not.contain(body["token"]);
  });

  it("last 90 days by default, and up to 366 days on request", async () => {
    const daysOf = (body: CallAnswer["body"]): number =>
      (Date.parse(body["expires_at"]) - Date.parse(body["created"])) / 86_400_000;
    expect(daysOf(await made())).to.be.closeTo(90, 0.1);
    for (const days of [1, 366]) {
      const body = await made({ name: "x", expires_in_days: days });
      expect(daysOf(body)).to.be.closeTo(days, 0.1);
    }
    for (const days of [0, 367, 1.5, null]) {
      const answer = await make({ name: "x", expires_in_days: days });
      expect(problemOf(answer), String(days)).to.deep.equal([400, 10]);
    }
    for (const name of ["", "x".repeat(101), "two\nlines"]) {
      expect((await make({ name })).status).to.equal(400);
    }
  });

  it("are rejected after they expire, and then deleted", async () => {
    const { id, token } = await made();
    await age(id, "expires_at = now()");
    expect(problemOf(await call("GET /users", { as: { token } }))).to.deep.equal([401, 4]);
    expect((await call(`GET ${path}`, { as: owner })).body["total"]).to.equal(0);
    await deleteExpiredSessions(database.db);
    const left = await rowsOf(database.db, "SELECT FROM api_tokens WHERE id = ?", [id]);
    expect(left).to.deep.equal([]);
  });

  it("record their use at most once a minute", async () => {
    const { id, token } = await made();
    const used = async () =>
      (
        await rowsOf<{ used_at: Date }>(
          database.db,
          "SELECT used_at FROM api_tokens WHERE id = ?",
          [id],
        )
      )[0]?.used_at.getTime() ?? 0;
    await works(token);
    expect(await used()).to.be.closeTo(Date.now(), 60_000);
    await age(id, "used_at = now() - interval '30 seconds'");
    const before = await used();
    await works(token);
    expect(await used()).to.equal(before);
    await age(id, "used_at = now() - interval '61 seconds'");
    await works(token);
    expect(await used()).to.be.greaterThan(before);
  });

  it("act with the current role, and stop working when the user is disabled", async () => {
    const other = await aMember({ enterprise_id: owner.enterprise_id });
    const { token } = await made({ name: "x" }, other);
    const read = async () => (await call("GET /users", { as: { token } })).status;
    expect(await read()).to.equal(200);
    await call(`PATCH /users/${other.id}`, { as: owner, json: { role: "viewer" } });
    expect(await works(other.token), "the sign-in").to.equal(false);
    expect(await read(), "the API token").to.equal(403);
    await call(`PATCH /users/${other.id}`, { as: owner, json: { isActive: false } });
    expect(await read()).to.equal(401);
    await call(`PATCH /users/${other.id}`, { as: owner, json: { isActive: true } });
    expect(await read(), "switched on again").to.equal(401);
  });

  it("survive a sign-out, and are revoked with a new password or with all tokens", async () => {
    const browser = openBrowser(accounts.api.url);
    await browser.signIn(owner.login, password);
    const first = (await browser.call(`POST ${path}`, { json: { name: "by cookie" } })).body;
    await browser.call("DELETE /browser-session");
    await call("DELETE /token", { as: owner });
    expect(await works(first["token"])).to.equal(true);
    await browser.signIn(owner.login, password);
    await browser.call("PATCH /users/me", {
      json: { password: "Another-Horse-7", current_password: password },
    });
    expect(await works(first["token"])).to.equal(false);
    await browser.signIn(owner.login, "Another-Horse-7");
    const second = (await browser.call(`POST ${path}`, { json: { name: "x" } })).body;
    const superadmin = await aMember({ enterprise_id: owner.enterprise_id, role: "superadmin" });
    await call(`DELETE /users/${owner.id}/tokens`, { as: superadmin });
    expect(await works(second["token"])).to.equal(false);
  });

  it("cannot create API tokens, and cannot be revoked like an access token", async () => {
    const { token } = await made();
    expect(problemOf(await make({ name: "x" }, { token }))).to.deep.equal([403, 6]);
    expect(problemOf(await call("DELETE /token", { as: { token } }))).to.deep.equal([409, 11]);
    expect(await works(token)).to.equal(true);
    const json = { apiKey: "x", userId: owner.id, token };
    expect((await call("POST /checkUserToken", { json })).status).to.equal(401);
  });

  it("are not created if the sign-in is revoked during the call", async () => {
    const { enterprise_id: enterpriseId, id: userId, login } = owner;
    const actor = { enterpriseId, userId, login, role: "admin", requestId: "x" } as const;
    const wanted = { name: "x", days: 1 };
    const { apiTokens } = accounts.api;
    await apiTokens.create(actor, { token: owner.token }, wanted);
    await database.db("tokens").where({ user_id: userId }).delete();
    for (const gone of [{ token: owner.token }, { token: "", sessionId: 999_999 }]) {
      const refused = await apiTokens.create(actor, gone, wanted).catch((error: unknown) => error);
      expect(refused).to.include({ kind: "bad_token" });
    }
  });

  it("are limited to fifty per user, even under concurrency", async () => {
    await database.db.raw(
      `INSERT INTO api_tokens (hash, enterprise_id, user_id, name, expires_at)
       SELECT sha256(('t' || n || ?)::bytea), ?, ?, 'x', now() + interval '1 day'
       FROM generate_series(1, 48) n`,
      [owner.login, owner.enterprise_id, owner.id],
    );
    const answers = await Promise.all([make(), make(), make(), make()]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([201, 201, 403, 403]);
    expect(problemOf(await make())).to.deep.equal([403, 16]);
    const { body } = await call(`GET ${path}`, { as: owner });
    expect(body["data"]).to.have.length(50);
  });

  it("can be revoked only by their user", async () => {
    const { id, token } = await made();
    const colleague = await aMember({ enterprise_id: owner.enterprise_id });
    expect((await call(`DELETE ${path}/${id}`, { as: colleague })).status).to.equal(404);
    expect((await call(`GET ${path}`, { as: colleague })).body["total"]).to.equal(0);
    expect((await call(`DELETE ${path}/${id}`, { as: { token } })).status).to.equal(204);
    expect(await works(token)).to.equal(false);
    expect((await call(`DELETE ${path}/${id}`, { as: owner })).status).to.equal(404);
    const entries = await auditOf(owner.enterprise_id);
    expect(entries.map(({ action, object, changes }) => [action, object, changes])).to.deep.equal([
      ["create", "api_token", { name: { to: "CRM" }, days: { to: 90 } }],
      ["revoke", "api_token", { name: { from: "CRM" }, user: { from: owner.id } }],
    ]);
  });

  describe("of an enterprise", () => {
    it("are listed by page for its administrators, who can revoke them", async () => {
      const agent = await aMember({ enterprise_id: owner.enterprise_id, role: "agent" });
      const first = await made({ name: "first" }, agent);
      const second = await made({ name: "second" });
      const at = `/enterprises/${owner.enterprise_id}/api-tokens`;
      const page = await call(`GET ${at}?limit=1`, { as: owner });
      expect(page.headers.get("x-total-count")).to.equal("2");
      expect(page.body["data"]).to.have.length(1);
      expect(page.body["data"][0]).to.include({ id: second["id"], name: "second" });
      expect(page.body["data"][0]).to.not.have.property("token");
      for (const operation of [`GET ${at}`, `DELETE ${at}/${first["id"]}`]) {
        expect(problemOf(await call(operation, { as: agent }))).to.deep.equal([403, 6]);
      }
      expect((await call(`DELETE ${at}/${first["id"]}`, { as: owner })).status).to.equal(204);
      expect(await works(first["token"])).to.equal(false);
      const audit = await call(`GET /enterprises/${owner.enterprise_id}/audit?object=api_token`, {
        as: owner,
      });
      expect(audit.body["data"][0]).to.include({ action: "revoke", object: "api_token" });
    });

    it("are not found by another enterprise", async () => {
      const { id, token } = await made();
      const stranger = await aMember();
      const theirs = `/enterprises/${owner.enterprise_id}/api-tokens`;
      const own = `/enterprises/${stranger.enterprise_id}/api-tokens`;
      for (const operation of [`GET ${theirs}`, `DELETE ${theirs}/${id}`, `DELETE ${own}/${id}`]) {
        expect((await call(operation, { as: stranger })).status, operation).to.equal(404);
      }
      expect((await call(`GET ${own}`, { as: stranger })).body["total"]).to.equal(0);
      expect(await works(token)).to.equal(true);
    });

    it("of a superadmin can be revoked only by a superadmin", async () => {
      const superadmin = await aMember({ enterprise_id: owner.enterprise_id, role: "superadmin" });
      const { id, token } = await made({ name: "x" }, superadmin);
      const operation = `DELETE /enterprises/${owner.enterprise_id}/api-tokens/${id}`;
      expect(problemOf(await call(operation, { as: owner }))).to.deep.equal([403, 6]);
      expect(await works(token)).to.equal(true);
      expect((await call(operation, { as: superadmin })).status).to.equal(204);
    });
  });
});
