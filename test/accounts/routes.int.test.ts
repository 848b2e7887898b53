import { expect } from "chai";
import { hash } from "@node-rs/argon2";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { password, useAccounts, type Json } from "../support/accounts-api.ts";
import { useDatabase } from "../support/database.ts";

const cheap = { memoryCost: 8_192, timeCost: 1, parallelism: 1 };

describe("accounts API", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  const { form, login, jsonOf, tokenOf, me, setUser } = accounts;

  describe("POST /api/token", () => {
    it("issues a working token with exactly the documented members", async () => {
      const startedAt = Date.now();
      const response = await login();
      const body = await jsonOf(response);
      expect(response.status).to.equal(200);
      expect(response.headers.get("cache-control")).to.equal("no-store");
      expect(Object.keys(body)).to.deep.equal([
        "access_token",
        "created_at",
        "expires_in",
        "token_type",
      ]);
      expect(body).to.include({ expires_in: 86_400, token_type: "Bearer" });
      expect(body["access_token"]).to.match(/^[\w-]{43}$/u);
      expect(body["created_at"]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u);
      expect(Date.parse(String(body["created_at"]))).to.be.closeTo(startedAt, 10_000);
      expect((await me(String(body["access_token"]))).status).to.equal(200);
    });

    it("accepts query, form and JSON under both paths and every version", async () => {
      const fields = { grant_type: "password", username: accounts.user.login, password };
      const query = new URLSearchParams(fields).toString();
      const json = {
        method: "POST",
        body: JSON.stringify(fields),
        headers: { "content-type": "application/json" },
      };
      const answers = await Promise.all([
        fetch(`${accounts.api.url}/api/token?${query}`, { method: "POST" }),
        fetch(`${accounts.api.url}/api/v3/authentication?${query}`, { method: "POST" }),
        fetch(`${accounts.api.url}/api/v2/token`, json),
        fetch(`${accounts.api.url}/api/authentication`, json),
        login({ username: accounts.user.login.toUpperCase() }),
        login({ client_id: "x", client_secret: "y" }),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(6).fill(200));
    });

    it("stores and logs neither tokens nor passwords in plain text", async () => {
      const query = new URLSearchParams({
        grant_type: "password",
        username: accounts.user.login,
        password,
      });
      const response = await fetch(`${accounts.api.url}/api/token?${query.toString()}`, {
        method: "POST",
      });
      const token = String((await jsonOf(response))["access_token"]);
      const rows = await rowsOf(database.db, "SELECT t.*, u.* FROM tokens t, users u");
      expect(JSON.stringify(rows)).to.not.contain(token).and.not.contain(password);
      const bytes = await rowsOf<{ text: string }>(
        database.db,
        "SELECT encode(hash, 'escape') AS text FROM tokens",
      );
      expect(bytes.map(({ text }) => text).join()).to.not.contain(token);
      expect(JSON.stringify(accounts.api.log)).to.not.contain(password).and.not.contain(token);
    });

    for (const [name, fields, status, code, error, field] of [
      ["no grant_type", {}, 400, 9, "invalid_request", "grant_type"],
      ["another grant_type", { grant_type: "x" }, 400, 10, "unsupported_grant_type", "grant_type"],
      ["no username", { grant_type: "password" }, 400, 9, "invalid_request", "username"],
      [
        "no password",
        { grant_type: "password", username: "a" },
        400,
        9,
        "invalid_request",
        "password",
      ],
      [
        "no refresh_token",
        { grant_type: "refresh_token" },
        400,
        9,
        "invalid_request",
        "refresh_token",
      ],
      ["an unknown field", { grant_type: "password", foo: "1" }, 400, 10, "invalid_request", "foo"],
      [
        "an unknown scope",
        { grant_type: "password", username: "a", password: "b", scope: "root" },
        ...([400, 10, "invalid_scope", "scope"] as const),
      ],
    ] as const) {
      it(`rejects ${name} with ${status}, code ${code}, ${error}`, async () => {
        const response = await form(fields);
        const body = await jsonOf(response);
        expect(response.status).to.equal(status);
        expect(response.headers.get("content-type")).to.equal("application/problem+json");
        expect(body).to.include({ code, error });
        expect((body["errors"] as Json[])[0]?.["field"]).to.equal(field);
      });
    }

    it("gives the same answer for an unknown login, a wrong password and a disabled user", async () => {
      const bodies: Json[] = [];
      for (const more of [{ username: "nobody@test.example" }, { password: "Wrong-Horse-7" }]) {
        const response = await login(more);
        expect(response.status).to.equal(401);
        expect(response.headers.has("www-authenticate")).to.equal(true);
        bodies.push(await jsonOf(response));
      }
      await setUser("is_active = false");
      bodies.push(await jsonOf(await login()));
      for (const body of bodies) {
        expect(body).to.include({ code: 5, error: "invalid_grant", status: 401 });
      }
      expect(new Set(bodies.map((body) => body["message"])).size).to.equal(1);
    });

    it("answers 405 to GET, so that no token ends up in the browser history", async () => {
      const response = await fetch(`${accounts.api.url}/api/token`);
      expect(response.status).to.equal(405);
      expect(response.headers.get("allow")).to.equal("POST, DELETE");
      expect(await jsonOf(response)).to.include({ code: 15, error: "invalid_request" });
    });

    it("upgrades an outdated hash at sign-in", async () => {
      await database.db.raw("UPDATE users SET password_hash = ? WHERE id = ?", [
        await hash(password, cheap),
        accounts.user.id,
      ]);
      expect((await login()).status).to.equal(200);
      const [row] = await rowsOf<{ password_hash: string }>(
        database.db,
        "SELECT password_hash FROM users WHERE id = ?",
        [accounts.user.id],
      );
      expect(row?.password_hash).to.contain("m=19456,t=2,p=1");
      expect((await login()).status).to.equal(200);
    });
  });

  describe("GET /api/v2/users/me", () => {
    for (const path of ["/api/v2/users/me", "/api/v3/users/me", "/api/users/me", "/api/user/me"]) {
      it(`shows the caller at ${path}`, async () => {
        const token = await tokenOf();
        const response = await me(token, path);
        expect(JSON.stringify(await response.json())).to.equal(
          JSON.stringify({
            photo_url: "https://sightline.example/avatars/default.svg",
            enterpriseId: accounts.enterprise.id,
            userId: accounts.user.id,
            apiKey: accounts.enterprise.api_key,
            nickname: "Zoë",
            token,
            is_agent: true,
            ccs: "sightline.example",
            mail: "zoe@test.example",
          }),
        );
      });
    }

    it("shows the name, or else the login, of a user without a nickname", async () => {
      const nickname = async () => (await jsonOf(await me(await tokenOf())))["nickname"];
      await setUser("nickname = '', firstname = 'Zoë', lastname = ''");
      expect(await nickname()).to.equal("Zoë");
      await setUser("firstname = ''");
      expect(await nickname()).to.equal(accounts.user.login);
    });

    it("shows the user's own photo", async () => {
      await setUser("photo_url = 'https://x.example/me.png'");
      const body = await jsonOf(await me(await tokenOf()));
      expect(body["photo_url"]).to.equal("https://x.example/me.png");
    });

    it("is forbidden for platform accounts, which can still revoke their token", async () => {
      await setUser("account_type = 'platform'");
      const token = await tokenOf();
      expect(await jsonOf(await me(token))).to.include({ status: 403, code: 18 });
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${accounts.api.url}/api/token`, { method: "DELETE", headers });
      expect(response.status).to.equal(204);
    });
  });
});
