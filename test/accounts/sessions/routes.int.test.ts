import { expect } from "chai";
import { hashToken } from "../../../src/accounts/identities.ts";
import { grantsOfRole } from "../../../src/contracts/permissions.ts";
import { anAccessToken, password, startAccountsApi } from "../../support/accounts-api.ts";
import { openBrowser } from "../../support/cookie-client.ts";
import { refusalOf, useBrowsers } from "../../support/browser-sessions.ts";
import { useDatabase } from "../../support/database.ts";

describe("browser sessions over HTTP", () => {
  const database = useDatabase();
  const { accounts, aBrowser, signedIn, rows, me } = useBrowsers(database);
  const { aMember, auditOf, setUser } = accounts;
  const json = () => ({ login: accounts.user.login, password });

  describe("signing in", () => {
    it("sets a cookie, and returns the user and their permissions", async () => {
      const browser = aBrowser();
      const { status, headers, body } = await browser.signIn(accounts.user.login, password);
      expect(status).to.equal(200);
      expect(headers.get("x-ratelimit-limit")).to.match(/^\d+$/u);
      expect(headers.get("cache-control")).to.equal("no-store");
      const [session, mark, ...others] = headers.getSetCookie();
      expect(others).to.deep.equal([]);
      expect(session).to.match(/^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/u);
      expect(mark).to.match(
        /^__Host-browser=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax; Secure$/u,
      );
      const { csrf_token: csrf, expires_at: expires, ...rest } = body;
      expect(csrf).to.match(/^[\w-]{43}$/u);
      const hours = (Date.parse(expires) - Date.now()) / 3_600_000;
      expect(hours).to.be.within(11.9, 12.1);
      expect(rest).to.deep.equal({
        user: {
          id: accounts.user.id,
          login: accounts.user.login,
          nickname: "Zoë",
          email: "zoe@test.example",
          role: accounts.user.role,
          is_agent: true,
          account_type: "solution",
          language: null,
          photo_url: "https://sightline.example/avatars/default.svg",
        },
        enterprise: {
          id: accounts.enterprise.id,
          name: accounts.enterprise.name,
          time_zone: "Europe/Paris",
          language: "en",
          solution_enabled: true,
        },
        permissions: grantsOfRole[accounts.user.role as "agent"],
      });
      const again = await browser.call("GET /browser-session");
      expect(again.body).to.deep.equal(body);
    });

    it("stores neither the id nor the CSRF token in plain text", async () => {
      const browser = await signedIn();
      const id = browser.cookie?.split("=")[1] ?? "";
      const [row] = await rows();
      expect(row?.hash.equals(hashToken(id))).to.equal(true);
      const kept = JSON.stringify(row);
      expect(kept).to.not.contain(id);
      expect(kept).to.not.contain(browser.csrfToken);
    });

    it("sets a partitioned cookie for an embedded page", async () => {
      const { headers } = await aBrowser().signIn(accounts.user.login, password, true);
      expect(headers.get("set-cookie")).to.match(
        /; Path=\/; HttpOnly; SameSite=None; Secure; Partitioned$/u,
      );
      expect((await rows()).map((row) => row.is_embedded)).to.deep.equal([true]);
    });

    it("creates a session per browser, and a new one at each sign-in", async () => {
      const first = await signedIn();
      const second = await signedIn();
      expect([await me(first), await me(second)]).to.deep.equal([200, 200]);
      const { cookie, csrfToken } = first;
      await first.signIn(accounts.user.login, password);
      expect(first.cookie).to.not.equal(cookie);
      expect(first.csrfToken).to.not.equal(csrfToken);
      const old = Object.assign(aBrowser(), { cookie });
      expect(await me(old), "the earlier session").to.equal(401);
      expect([await me(first), await me(second)]).to.deep.equal([200, 200]);
      expect(await rows()).to.have.length(2);
    });

    it("does not adopt a session that an attacker set (session fixation)", async () => {
      const planted = Object.assign(aBrowser(), { cookie: `__Host-sid=${"a".repeat(43)}` });
      await planted.signIn(accounts.user.login, password);
      expect(planted.cookie).to.not.contain("a".repeat(43));
    });

    it("gives the same answer for a wrong password and an unknown login, and keeps the session", async () => {
      const browser = await signedIn();
      const wrong = await browser.call("POST /browser-session", {
        json: { ...json(), password: "Wrong-Horse-7" },
      });
      const unknown = await browser.call("POST /browser-session", {
        json: { login: "nobody@nowhere.example", password },
      });
      expect([refusalOf(wrong), refusalOf(unknown)]).to.deep.equal([
        [401, 5],
        [401, 5],
      ]);
      expect(wrong.body["detail"]).to.equal(unknown.body["detail"]);
      expect(wrong.headers.get("set-cookie")).to.equal(null);
      expect(await me(browser)).to.equal(200);
      await setUser("is_active = false");
      expect(refusalOf(await aBrowser().signIn(accounts.user.login, password))).to.deep.equal([
        401, 5,
      ]);
    });

    it("shares the failure counter with the token endpoint", async () => {
      for (let i = 0; i < 3; i += 1) {
        await aBrowser().signIn(accounts.user.login, "Wrong-Horse-7");
        await accounts.login({ password: "Wrong-Horse-7" });
      }
      expect((await aBrowser().signIn(accounts.user.login, password)).status).to.equal(429);
      expect((await accounts.login({ password })).status).to.equal(429);
    });

    it("is rejected for other origins, even with the right password", async () => {
      const from = async (headers: Record<string, string>) => {
        const response = await fetch(`${accounts.api.url}/api/browser-session`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(json()),
        });
        const { code } = (await response.json()) as { code?: number };
        return [response.status, code];
      };
      expect(await from({ "sec-fetch-site": "cross-site" })).to.deep.equal([403, 7]);
      expect(await from({ "sec-fetch-site": "same-site" })).to.deep.equal([403, 7]);
      expect(await from({ "sec-fetch-site": "none" })).to.deep.equal([403, 7]);
      expect(await from({ origin: "https://evil.example" })).to.deep.equal([403, 7]);
      expect(await from({})).to.deep.equal([403, 7]);
      expect(await rows()).to.deep.equal([]);
      expect(await from({ origin: "https://sightline.example" })).to.deep.equal([200, undefined]);
    });

    it("is accepted from an alias of an enterprise", async () => {
      const { host } = new URL(accounts.api.url);
      const [name = ""] = host.split(":");
      const origin = `https://${host}`;
      const attempt = () =>
        aBrowser().call("POST /browser-session", {
          json: json(),
          headers: { "sec-fetch-site": "", origin },
        });
      expect((await attempt()).status, "an empty header is one").to.equal(403);
      const sessions = accounts.api.sessions;
      const header = (key: string) => ({ origin, host })[key];
      const input = { ...json(), clientNetwork: "10.0.0.1", isEmbedded: false };
      const refused = await sessions.open(input, header).catch((error: unknown) => error);
      expect(refused).to.include({ kind: "csrf" });
      await database.db("enterprise_domains").insert({
        ...{ enterprise_id: accounts.enterprise.id, domain: "crm.example", alias: name },
      });
      const { headers } = await sessions.open(input, header);
      expect(headers["Set-Cookie"].join()).to.contain("__Host-sid=");
    });
  });

  describe("a signed-in browser", () => {
    it("may call everything that its user may, and nothing else", async () => {
      const admin = await aMember({ password_hash: accounts.passwordHash });
      const browser = aBrowser();
      await browser.signIn(admin.login, password);
      expect((await browser.call("GET /users")).status).to.equal(200);
      const made = await browser.call("POST /users", {
        json: { login: "new@new.example", password, role: "viewer" },
      });
      expect(made.status).to.equal(201);
      const agent = await signedIn();
      expect(refusalOf(await agent.call("GET /users"))).to.deep.equal([403, 6]);
      const [entry] = await auditOf(admin.enterprise_id);
      expect(entry).to.include({ user_id: admin.id, action: "create", object: "user" });
    });

    it("may not write without the CSRF token or from another site", async () => {
      const browser = await signedIn();
      const change = (headers: Record<string, string>) =>
        browser.call("PATCH /users/me", { json: { firstname: "Eve" }, headers });
      const other = await signedIn();
      for (const headers of [
        { "x-csrf-token": "" },
        { "x-csrf-token": "invented" },
        { "x-csrf-token": other.csrfToken ?? "" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
      ]) {
        expect(refusalOf(await change(headers)), JSON.stringify(headers)).to.deep.equal([403, 7]);
      }
      const read = await browser.call("GET /users/me", {
        headers: { "sec-fetch-site": "cross-site" },
      });
      expect(refusalOf(read)).to.deep.equal([403, 7]);
      const { body } = await browser.call("PATCH /users/me", { json: {} });
      expect(body["firstname"]).to.not.equal("Eve");
      expect((await change({})).body["firstname"]).to.equal("Eve");
    });

    it("uses the bearer token if there is one, and then needs no CSRF token", async () => {
      const browser = await signedIn();
      const admin = await aMember();
      const authorization = `Bearer ${admin.token}`;
      const headers = { authorization, "x-csrf-token": "", "sec-fetch-site": "cross-site" };
      const asAdmin = await browser.call("GET /users/me", { headers });
      expect(asAdmin.body["userId"]).to.equal(admin.id);
      const change = { json: { firstname: "Ada" }, headers };
      expect((await browser.call("PATCH /users/me", change)).body["id"]).to.equal(admin.id);
      for (const bad of ["Bearer invented", "Basic x", ""]) {
        const refused = await browser.call("GET /users/me", { headers: { authorization: bad } });
        expect(refused.status, bad).to.equal(401);
      }
    });

    it("has no token to show or revoke", async () => {
      const browser = await signedIn();
      expect((await browser.call("GET /users/me")).body["token"]).to.equal("");
      expect(refusalOf(await browser.call("DELETE /token"))).to.deep.equal([409, 11]);
      expect(await me(browser)).to.equal(200);
    });

    it("shares the user's rate limit with token calls", async () => {
      const limited = await startAccountsApi(database.db, { rules: { apiPerMinute: 2 } });
      const browser = openBrowser(limited.url);
      await browser.signIn(accounts.user.login, password);
      const statuses = [await me(browser), await me(browser), await me(browser)];
      expect(statuses).to.deep.equal([200, 200, 429]);
      const token = await anAccessToken(database.db, accounts.user);
      const headers = { authorization: `Bearer ${token}` };
      const byToken = await fetch(`${limited.url}/api/users/me`, { headers });
      expect(byToken.status).to.equal(429);
      await limited.close();
    });
  });
});
