import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { aTicketRow, password, useAccounts, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";

describe("users", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  const { call, aMember, auditOf } = accounts;
  let admin: Member;
  beforeEach(async () => {
    admin = await aMember();
  });

  const aColleague = (columns: Record<string, unknown> = {}) =>
    aMember({ enterprise_id: admin.enterprise_id, role: "agent", ...columns });

  const patch = (id: number, json: object, as = admin) => call(`PATCH /users/${id}`, { as, json });

  const isSignedIn = async (member: Member): Promise<boolean> =>
    (await call("GET /users/me", { as: member })).status === 200;

  describe("changes", () => {
    it("write the given fields and leave the others", async () => {
      const user = await aColleague({ firstname: "Ann", lastname: "Lee", phone: "+33612345678" });
      const before = (await call(`GET /users/${user.id}`, { as: admin })).body;
      const { status, body } = await patch(user.id, {
        lastname: "Ray",
        phone: "",
        external_id: "DR-1",
        photo_url: "http://x.example/a.png",
      });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        ...before,
        lastname: "Ray",
        phone: "",
        external_id: "DR-1",
        photo_url: "http://x.example/a.png",
        modified: body["modified"],
      });
      const cleared = await patch(user.id, { external_id: null, photo_url: null });
      expect(cleared.body).to.include({ external_id: null, photo_url: before["photo_url"] });
    });

    it("of role, password or active state revoke every token; others revoke none", async () => {
      for (const [change, remains] of [
        [{ firstname: "Ann" }, true],
        [{ role: "agent" }, true],
        [{ role: "viewer" }, false],
        [{ password: "Another-Horse-8" }, false],
        [{ isActive: false }, false],
      ] as const) {
        const user = await aColleague();
        expect((await patch(user.id, change)).status).to.equal(200);
        expect(await isSignedIn(user), JSON.stringify(change)).to.equal(remains);
        const tokens = await rowsOf(database.db, "SELECT FROM tokens WHERE user_id = ?", [user.id]);
        expect(tokens, JSON.stringify(change)).to.have.length(remains ? 1 : 0);
      }
    });

    it("to a login or external id that is taken are rejected, case-insensitively", async () => {
      const user = await aColleague();
      const other = await aMember({ external_id: "DR-2" });
      const taken = await patch(user.id, { login: other.login.toUpperCase() });
      expect(taken.body).to.deep.include({
        status: 409,
        code: 11,
        details: "Parameter login",
        errors: [{ field: "login", reason: "duplicate" }],
      });
      expect((await patch(user.id, { external_id: "DR-2" })).status).to.equal(200);
      const second = await aColleague();
      const duplicate = await patch(second.id, { external_id: "DR-2" });
      expect(duplicate.body).to.include({ status: 409, details: "Parameter external_id" });
    });

    it("to and of superadmins are allowed only for superadmins", async () => {
      const { enterprise_id } = admin;
      const root = await aMember({ enterprise_id, role: "superadmin" });
      const user = await aColleague();
      const json = { login: `s-${user.id}`, role: "superadmin", password };
      for (const [what, body] of [
        ["POST /users", json],
        [`PATCH /users/${user.id}`, { role: "superadmin" }],
        [`PATCH /users/${root.id}`, { password }],
        [`DELETE /users/${root.id}`, undefined],
        [`DELETE /users/${root.id}/tokens`, undefined],
        [`POST /users/${root.id}/password-reset`, undefined],
      ] as const) {
        const answer = await call(what, { as: admin, json: body });
        expect(answer.body, what).to.include({ status: 403, code: 6 });
      }
      expect(await isSignedIn(root)).to.equal(true);
      expect((await call("POST /users", { as: root, json })).status).to.equal(201);
      expect((await patch(user.id, { role: "superadmin" }, root)).status).to.equal(200);
    });
  });

  describe("a deleted user", () => {
    it("keeps a row without personal data, cannot sign in and frees the login", async () => {
      const { enterprise_id, id: adminId } = admin;
      const user = await aColleague({
        password_hash: accounts.passwordHash,
        email: "ann@test.example",
        phone: "+33612345678",
        firstname: "Ann",
        lastname: "Lee",
        nickname: "Annie",
        photo_url: "https://x.example/a.png",
        external_id: "DR-3",
        language: "fr",
      });
      const path = `/enterprises/${enterprise_id}/user-groups`;
      await call(`POST ${path}`, { as: admin, json: { name: "Night", members: [user.id] } });
      const ticket = await aTicketRow(database.db, {
        enterpriseId: enterprise_id,
        agentId: user.id,
      });
      expect((await call(`DELETE /users/${user.id}`, { as: admin })).status).to.equal(204);
      const [row] = await rowsOf<Record<string, unknown>>(
        database.db,
        "SELECT * FROM users WHERE id = ?",
        [user.id],
      );
      expect(row).to.include({
        enterprise_id,
        login: `deleted ${user.id}`,
        email: "",
        phone: "",
        firstname: "",
        lastname: "",
        nickname: "",
        photo_url: null,
        external_id: null,
        language: null,
        is_active: false,
        password_hash: "none",
      });
      expect(row?.["deleted_at"]).to.be.instanceOf(Date);
      expect((await call(`GET /users/${user.id}`, { as: admin })).status).to.equal(404);
      expect((await call(`DELETE /users/${user.id}`, { as: admin })).status).to.equal(404);
      const { body } = await call("GET /users", { as: admin });
      expect(body["data"].map(({ id }: { id: number }) => id)).to.deep.equal([adminId]);
      const groups = await call(`GET ${path}`, { as: admin });
      expect(groups.body["data"][0].members).to.deep.equal([]);
      expect(await isSignedIn(user)).to.equal(false);
      for (const username of [user.login, `deleted ${user.id}`]) {
        expect((await accounts.login({ username })).status).to.equal(401);
      }
      const again = { login: user.login, password };
      expect((await call("POST /users", { as: admin, json: again })).status).to.equal(201);
      const pointing = await rowsOf<{ agent_id: number }>(
        database.db,
        "SELECT agent_id FROM tickets WHERE id = ?",
        [ticket.id],
      );
      expect(pointing).to.deep.equal([{ agent_id: user.id }]);
      const kept = JSON.stringify(await auditOf(enterprise_id));
      expect(kept).to.not.contain("ann@test.example").and.not.contain("Annie");
    });

    it("cannot be kept from deletion by a login of another enterprise", async () => {
      const user = await aColleague();
      const stranger = await aMember();
      for (const [login, status] of [
        [`deleted-${user.id}`, 201],
        [`deleted ${user.id}`, 400],
      ] as const) {
        const taken = await call("POST /users", { as: stranger, json: { login, password } });
        expect(taken.status, login).to.equal(status);
      }
      expect((await call(`DELETE /users/${user.id}`, { as: admin })).status).to.equal(204);
    });

    it("cannot be oneself or the last active administrator", async () => {
      const { enterprise_id } = admin;
      const self = await call(`DELETE /users/${admin.id}`, { as: admin });
      expect(self.body).to.include({ status: 409, code: 11 });
      const root = await aMember({ enterprise_id, role: "superadmin", account_type: "platform" });
      await database.db.raw("UPDATE users SET account_type = 'solution' WHERE id = ?", [root.id]);
      expect((await call(`DELETE /users/${admin.id}`, { as: root })).status).to.equal(204);
      for (const json of [{ isActive: false }, { role: "agent" }, { accountType: "platform" }]) {
        const { body } = await patch(root.id, json, root);
        expect(body, JSON.stringify(json)).to.include({ status: 409, code: 11 });
      }
      expect(await isSignedIn(root)).to.equal(true);
    });
  });

  describe("the current user", () => {
    it("may change names, language, phone and photo, and nothing else", async () => {
      const user = await aColleague();
      const json = { firstname: "Ann", language: "de", phone: "+33 6 12 34 56 78" };
      const { status, body } = await call("PATCH /users/me", { as: user, json });
      expect(status).to.equal(200);
      expect(body).to.include({
        id: user.id,
        firstname: "Ann",
        language: "de",
        phone: "+33612345678",
      });
      for (const more of [{ role: "admin" }, { isActive: false }, { groups: [] }, { login: "x" }]) {
        const refused = await call("PATCH /users/me", { as: user, json: more });
        expect(refused.body, JSON.stringify(more)).to.include({ status: 400, code: 10 });
      }
    });

    it("needs the current password for a new one, which revokes every token", async () => {
      const user = await aColleague({ password_hash: accounts.passwordHash });
      const change = (json: object) => call("PATCH /users/me", { as: user, json });
      const next = "Another-Horse-8";
      const missing = await change({ password: next });
      expect(missing.body).to.include({ code: 9, details: "Parameter current_password" });
      const wrong = await change({ password: next, current_password: "Wrong-Horse-7" });
      expect(wrong.body).to.include({ code: 10, details: "Parameter current_password" });
      expect(await isSignedIn(user)).to.equal(true);
      const right = await change({ password: next, current_password: password });
      expect(right.status).to.equal(200);
      expect(await isSignedIn(user)).to.equal(false);
      expect((await accounts.login({ username: user.login })).status).to.equal(401);
      const login = await accounts.login({ username: user.login, password: next });
      expect(login.status).to.equal(200);
    });

    it("is rate-limited after five wrong guesses of the current password", async () => {
      const user = await aColleague({ password_hash: accounts.passwordHash });
      const guess = (current: string) =>
        call("PATCH /users/me", {
          as: user,
          json: { password: "Another-Horse-8", current_password: current },
        });
      for (let i = 0; i < 5; i += 1) {
        expect((await guess(`Wrong-${i}`)).status).to.equal(400);
      }
      expect((await guess(password)).body).to.include({ status: 429, code: 12 });
    });
  });

  it("can be signed out everywhere by an administrator", async () => {
    const user = await aColleague();
    const other = await aColleague();
    expect((await call(`DELETE /users/${user.id}/tokens`, { as: admin })).status).to.equal(204);
    expect(await isSignedIn(user)).to.equal(false);
    expect(await isSignedIn(other)).to.equal(true);
  });

  it("are audited with their changes, without personal data and passwords", async () => {
    const { body } = await call("POST /users", {
      as: admin,
      json: { login: `log-${admin.id}`, email: "ann@test.example", firstname: "Ann", password },
    });
    const id = Number(body["id"]);
    await patch(id, { role: "viewer", email: "", firstname: "Anna", password: "Another-Horse-8" });
    await call(`DELETE /users/${id}/tokens`, { as: admin });
    await call(`DELETE /users/${id}`, { as: admin });
    const who = { user_id: admin.id, login: admin.login, object: "user", object_id: String(id) };
    const hidden = "••••";
    expect(await auditOf(admin.enterprise_id)).to.deep.equal([
      {
        ...who,
        action: "create",
        changes: {
          login: { to: `log-${admin.id}` },
          email: { to: hidden },
          phone: { to: "" },
          firstname: { to: hidden },
          lastname: { to: "" },
          nickname: { to: hidden },
          role: { to: "agent" },
          isAgent: { to: true },
          isActive: { to: true },
          accountType: { to: "solution" },
          language: { to: null },
          external_id: { to: null },
          photo_url: { to: null },
          groups: { to: [] },
        },
      },
      {
        ...who,
        action: "update",
        changes: {
          email: { from: hidden, to: "" },
          firstname: { from: hidden, to: hidden },
          role: { from: "agent", to: "viewer" },
          password: { to: hidden },
        },
      },
      { ...who, action: "revoke", changes: {} },
      { ...who, action: "delete", changes: {} },
    ]);
  });
});
