import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { password, useAccounts, type Member } from "../support/accounts-api.ts";
import { useDatabase } from "../support/database.ts";

const next = "Another-Horse-8";

describe("a password-reset link", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  const { call, aMember, auditOf } = accounts;
  let admin: Member;
  let user: Member;
  beforeEach(async () => {
    admin = await aMember();
    user = await aMember({
      enterprise_id: admin.enterprise_id,
      role: "agent",
      email: "ann@test.example",
      language: "fr",
      password_hash: accounts.passwordHash,
    });
  });

  const ask = (id = user.id) => call(`POST /users/${id}/password-reset`, { as: admin });
  const tokenOfMail = (): string =>
    /#token=([\w-]{43})$/mu.exec(accounts.api.mails.at(-1)?.text ?? "")?.[1] ?? "none";
  const redeem = (token: string, chosen = next) =>
    call("POST /password", { json: { token, password: chosen } });
  const login = (chosen: string) => accounts.login({ username: user.login, password: chosen });

  it("is mailed in the user's language, sets the password once and revokes every token", async () => {
    expect((await ask()).status).to.equal(202);
    const token = tokenOfMail();
    expect(accounts.api.mails.at(-1)).to.deep.equal({
      enterpriseId: admin.enterprise_id,
      to: "ann@test.example",
      subject: "Choisissez votre mot de passe",
      text:
        `${user.login}\n\nOuvrez ce lien pour choisir un nouveau mot de passe :\n` +
        `https://sightline.example/password#token=${token}\n\n` +
        "Il est valable une heure et une seule fois.\n",
      createdBy: admin.id,
    });
    expect((await accounts.me(user.token)).status).to.equal(200);
    expect((await login(password)).status).to.equal(200);
    expect((await redeem(token)).status).to.equal(204);
    expect((await accounts.me(user.token)).status).to.equal(401);
    expect((await login(password)).status).to.equal(401);
    expect((await login(next)).status).to.equal(200);
    expect((await redeem(token, password)).body).to.include({ status: 410, code: 17 });
  });

  it("is mailed to a new user without a password, who cannot sign in before using it", async () => {
    const json = { login: `new-${admin.id}@test.example` };
    expect((await call("POST /users", { as: admin, json })).status).to.equal(201);
    expect(accounts.api.mails.at(-1)).to.include({
      to: json.login,
      subject: "Choose your password",
    });
    const fields = { username: json.login };
    expect((await accounts.login({ ...fields, password: "none" })).status).to.equal(401);
    expect((await redeem(tokenOfMail())).status).to.equal(204);
    expect((await accounts.login({ ...fields, password: next })).status).to.equal(200);
  });

  it("is mailed to a new inactive user on activation, and to nobody with a password", async () => {
    const sent = accounts.api.mails.length;
    const json = { login: `new-${admin.id}@test.example`, isActive: false };
    const { body } = await call("POST /users", { as: admin, json });
    for (const id of [user.id, body["id"]]) {
      for (const change of [{ isActive: false }, { firstname: "Ann" }]) {
        await call(`PATCH /users/${id}`, { as: admin, json: change });
      }
      expect(accounts.api.mails.length).to.equal(sent);
      await call(`PATCH /users/${id}`, { as: admin, json: { isActive: true } });
    }
    expect(accounts.api.mails.slice(sent).map(({ to }) => to)).to.deep.equal([json.login]);
    expect((await redeem(tokenOfMail())).status).to.equal(204);
    const fields = { username: json.login, password: next };
    expect((await accounts.login(fields)).status).to.equal(200);
  });

  it("rejects a weak password, and stays valid", async () => {
    await ask();
    const token = tokenOfMail();
    const refused = await redeem(token, "short");
    expect(refused.body).to.include({ status: 400, code: 10, details: "Parameter password" });
    expect((await redeem(token)).status).to.equal(204);
  });

  it("works for only one of two concurrent uses", async () => {
    await ask();
    const token = tokenOfMail();
    const answers = await Promise.all([redeem(token), redeem(token, password)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([204, 410]);
  });

  it("expires after an hour, with the next link, and when the user is disabled", async () => {
    await ask();
    const first = tokenOfMail();
    await ask();
    const second = tokenOfMail();
    expect((await redeem(first)).status).to.equal(410);
    const [row] = await rowsOf<{ seconds: number }>(
      database.db,
      `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM tokens
       WHERE user_id = ? AND kind = 'reset'`,
      [user.id],
    );
    expect(row?.seconds).to.equal(3_600);
    await database.db.raw(
      "UPDATE tokens SET expires_at = now() WHERE user_id = ? AND kind = 'reset'",
      [user.id],
    );
    expect((await redeem(second)).status).to.equal(410);
    await ask();
    const third = tokenOfMail();
    await call(`PATCH /users/${user.id}`, { as: admin, json: { isActive: false } });
    expect((await redeem(third)).status).to.equal(410);
    expect((await redeem("x".repeat(43))).status).to.equal(410);
  });

  it("is revoked when the email address of the user changes", async () => {
    const change = (json: object) => call(`PATCH /users/${user.id}`, { as: admin, json });
    await ask();
    const token = tokenOfMail();
    await change({ email: "anna@test.example" });
    expect((await redeem(token)).status).to.equal(410);
    expect((await accounts.me(user.token)).status).to.equal(200);
    await ask();
    const sent = tokenOfMail();
    await change({ email: "anna@test.example", firstname: "Anna" });
    expect((await redeem(sent)).status, "the same address").to.equal(204);
  });

  it("contains a token that the API does not accept", async () => {
    await ask();
    expect((await accounts.me(tokenOfMail())).status).to.equal(401);
    expect((await redeem(user.token)).status).to.equal(410);
  });

  it("is not mailed to disabled users or users without an address", async () => {
    for (const columns of [{ email: "" }, { is_active: false, email: "x@test.example" }]) {
      const other = await aMember({ enterprise_id: admin.enterprise_id, ...columns });
      expect((await ask(other.id)).body).to.include({ status: 409, code: 11 });
    }
  });

  it("is in the audit log when requested and when used, without its token", async () => {
    await ask();
    const token = tokenOfMail();
    await redeem(token);
    const about = { action: "reset", object: "user", object_id: String(user.id) };
    const kept = await auditOf(admin.enterprise_id);
    expect(kept).to.deep.equal([
      { ...about, user_id: admin.id, login: admin.login, changes: {} },
      { ...about, user_id: user.id, login: user.login, changes: { password: { to: "••••" } } },
    ]);
    expect(JSON.stringify(kept)).to.not.contain(token);
  });

  const request = (name: string) => call("POST /password/request", { json: { login: name } });

  it("is mailed on request, for the login in any case, at most every five minutes", async () => {
    expect((await request(user.login.toUpperCase())).status).to.equal(204);
    const token = tokenOfMail();
    expect(accounts.api.mails.at(-1)).to.include({ to: "ann@test.example", createdBy: null });
    const sent = accounts.api.mails.length;
    expect((await request(user.login)).status).to.equal(204);
    expect(accounts.api.mails.length).to.equal(sent);
    expect((await redeem(token)).status).to.equal(204);
    await request(user.login);
    await database.db.raw(
      "UPDATE tokens SET created_at = now() - interval '301 s' WHERE user_id = ?",
      [user.id],
    );
    await request(user.login);
    expect(accounts.api.mails.length).to.equal(sent + 2);
    const [asked] = await auditOf(admin.enterprise_id);
    expect(asked).to.include({ action: "reset", object_id: String(user.id), user_id: null });
  });

  it("is mailed in the language of the enterprise if the user has none", async () => {
    const { enterprise_id } = admin;
    await database.db("enterprises").where({ id: enterprise_id }).update({ language: "de" });
    await database.db("users").where({ id: user.id }).update({ language: null });
    await call("POST /users", { as: admin, json: { login: `new-${admin.id}@test.example` } });
    await request(user.login);
    await ask();
    const mails = accounts.api.mails.slice(-3).map(({ subject }) => subject);
    expect(mails).to.deep.equal(Array(3).fill("Wählen Sie Ihr Passwort"));
  });

  it("is mailed on request at most three times an hour, even under concurrency", async () => {
    const sent = accounts.api.mails.length;
    const mailed = () => accounts.api.mails.length - sent;
    /** Moves the timestamps of the tokens into the past. */
    const wait = (seconds: number) =>
      database.db.raw(
        `UPDATE tokens SET created_at = created_at - ? * interval '1 second',
           expires_at = expires_at - ? * interval '1 second' WHERE user_id = ? AND kind = 'reset'`,
        [seconds, seconds, user.id],
      );
    for (const expected of [1, 2, 3, 3]) {
      await Promise.all([request(user.login), request(user.login)]);
      expect(mailed()).to.equal(expected);
      await wait(301);
    }
    expect((await redeem(tokenOfMail())).status, "the last link holds").to.equal(204);
    await request(user.login);
    await wait(3_000);
    await request(user.login);
    expect(mailed()).to.equal(5);
  });

  it("does not reveal by its answer or timing whether a login exists", async () => {
    const off = await aMember({ enterprise_id: admin.enterprise_id, is_active: false });
    const silent = await aMember({ enterprise_id: admin.enterprise_id, email: "" });
    const sent = accounts.api.mails.length;
    for (const name of ["nobody@test.example", off.login, silent.login]) {
      const before = performance.now();
      const { status, body } = await request(name);
      expect([status, body]).to.deep.equal([204, {}]);
      expect(performance.now() - before).to.be.greaterThan(295);
    }
    expect(accounts.api.mails.length).to.equal(sent);
  });
});
