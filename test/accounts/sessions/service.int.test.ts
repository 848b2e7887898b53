import { expect } from "chai";
import { deleteExpiredSessions } from "../../../src/accounts/sessions/store.ts";
import { password } from "../../support/accounts-api.ts";
import type { Browser } from "../../support/cookie-client.ts";
import { refusalOf, useBrowsers } from "../../support/browser-sessions.ts";
import { useDatabase } from "../../support/database.ts";

describe("browser sessions", () => {
  const database = useDatabase();
  const { accounts, aBrowser, signedIn, rows, age, me } = useBrowsers(database);
  const { aMember, auditOf, call, setUser } = accounts;

  describe("a session", () => {
    it("expires half an hour after the last call", async () => {
      const browser = await signedIn();
      await age("seen_at = now() - interval '29 minutes'");
      expect(await me(browser)).to.equal(200);
      await age("seen_at = now() - interval '30 minutes'");
      expect(refusalOf(await browser.call("GET /browser-session"))).to.deep.equal([401, 3]);
    });

    it("expires twelve hours after sign-in, even if it is used", async () => {
      const browser = await signedIn();
      await age("expires_at = now() + interval '30 seconds'");
      expect(await me(browser)).to.equal(200);
      await age("expires_at = now()");
      expect(await me(browser)).to.equal(401);
    });

    it("records its use at most once a minute", async () => {
      const browser = await signedIn();
      await age("seen_at = now() - interval '30 seconds'");
      const seen = async () => (await rows())[0]?.seen_at.getTime() ?? 0;
      const before = await seen();
      await me(browser);
      expect(await seen()).to.equal(before);
      await age("seen_at = now() - interval '61 seconds'");
      await me(browser);
      expect(await seen()).to.be.greaterThan(before);
    });

    const endings: Record<string, (browser: Browser) => Promise<unknown>> = {
      "a new password": (browser) =>
        browser.call("PATCH /users/me", {
          json: { password: "Another-Horse-7", current_password: password },
        }),
      "disabling the user": async () => {
        await setUser("is_active = false");
      },
    };
    for (const [what, end] of Object.entries(endings)) {
      it(`ends with ${what}`, async () => {
        const [browser, other] = [await signedIn(), await signedIn()];
        await end(browser);
        expect([await me(browser), await me(other)]).to.deep.equal([401, 401]);
      });
    }

    it("ends when an administrator changes the role or revokes all tokens", async () => {
      const { id } = accounts.user;
      const as = await aMember({ enterprise_id: accounts.enterprise.id });
      const browser = await signedIn();
      await call(`PATCH /users/${id}`, { as, json: { firstname: "Same" } });
      expect(await me(browser)).to.equal(200);
      await call(`PATCH /users/${id}`, { as, json: { role: "viewer" } });
      expect(await rows()).to.deep.equal([]);
      const again = await signedIn();
      await call(`DELETE /users/${id}/tokens`, { as });
      expect(await me(again)).to.equal(401);
    });

    it("is deleted after it expired", async () => {
      await signedIn();
      await deleteExpiredSessions(database.db);
      expect(await rows()).to.have.length(1);
      await age("seen_at = now() - interval '31 minutes'");
      await deleteExpiredSessions(database.db);
      expect(await rows()).to.deep.equal([]);
    });

    it("can be re-validated by a long-running answer until it ends", async () => {
      const browser = await signedIn();
      const { sessions } = accounts.api;
      const caller = await sessions.findOwner(browser.cookie);
      if (caller === undefined) {
        throw new Error("The browser is not signed in");
      }
      expect((await sessions.recheck(caller))?.caller.userId).to.equal(accounts.user.id);
      await browser.call("DELETE /browser-session");
      expect(await sessions.recheck(caller)).to.equal(undefined);
      const byToken = { ...caller, token: await accounts.tokenOf() };
      const { sessionId: _none, ...tokenCaller } = byToken;
      expect((await sessions.recheck(tokenCaller))?.caller.userId).to.equal(accounts.user.id);
    });
  });

  describe("GET /browser-session", () => {
    it("answers 401 without a session", async () => {
      const answer = await aBrowser().call("GET /browser-session");
      expect(refusalOf(answer)).to.deep.equal([401, 3]);
    });

    it("returns the permissions of a token, without a CSRF token", async () => {
      const token = await accounts.tokenOf();
      const headers = { authorization: `Bearer ${token}` };
      const { status, body } = await aBrowser().call("GET /browser-session", { headers });
      expect(status).to.equal(200);
      expect(body["user"].id).to.equal(accounts.user.id);
      expect(body["csrf_token"]).to.equal("");
    });
  });

  describe("two cookies with the same name", () => {
    const gone = `__Host-sid=${"x".repeat(43)}`;

    it("authenticate by the valid session, in any order", async () => {
      const browser = await signedIn();
      const { cookie, csrfToken } = browser;
      for (const both of [`${gone}; ${cookie}`, `${cookie}; ${gone}`]) {
        const page = Object.assign(aBrowser(), { cookie: both, csrfToken });
        expect(await me(page)).to.equal(200);
        const { body } = await page.call("GET /browser-session");
        expect(body["csrf_token"]).to.equal(csrfToken);
        expect(
          (await page.call("PATCH /users/me", { json: { firstname: "Zoë" } })).status,
        ).to.equal(200);
        const owner = await accounts.api.sessions.findOwner(both);
        expect(owner?.userId).to.equal(accounts.user.id);
      }
    });

    it("are both revoked when the browser signs in again", async () => {
      const [common, embedded] = [await signedIn(), await signedIn(true)];
      const both = Object.assign(aBrowser(), { cookie: `${common.cookie}; ${embedded.cookie}` });
      expect((await both.signIn(accounts.user.login, password)).status).to.equal(200);
      expect([await me(common), await me(embedded), await me(both)]).to.deep.equal([401, 401, 200]);
      expect(await rows()).to.have.length(1);
    });
  });

  describe("signing out", () => {
    it("ends the session and clears the cookie", async () => {
      const browser = await signedIn();
      const { cookie } = browser;
      const { status, headers } = await browser.call("DELETE /browser-session");
      expect(status).to.equal(204);
      expect(headers.get("set-cookie")).to.equal(
        "__Host-sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
      );
      expect(browser.cookie).to.equal(undefined);
      expect(await me(Object.assign(aBrowser(), { cookie }))).to.equal(401);
      expect(await rows()).to.deep.equal([]);
    });

    it("ends all presented sessions, including the embedded one", async () => {
      const [common, embedded] = [await signedIn(), await signedIn(true)];
      const cookie = `${common.cookie}; ${embedded.cookie}`;
      const both = Object.assign(aBrowser(), { cookie });
      const { headers } = await both.call("DELETE /browser-session");
      expect(headers.get("set-cookie")).to.match(/Partitioned$/u);
      expect(await rows()).to.deep.equal([]);
    });

    it("clears the cookie of an iframe with the same attributes", async () => {
      const browser = await signedIn(true);
      const { headers } = await browser.call("DELETE /browser-session");
      expect(headers.get("set-cookie")).to.match(/SameSite=None; Secure; Partitioned$/u);
    });

    it("succeeds with an expired session, and without one", async () => {
      const browser = await signedIn();
      await age("expires_at = now()");
      expect((await browser.call("DELETE /browser-session")).status).to.equal(204);
      expect((await browser.call("DELETE /browser-session")).status).to.equal(204);
    });

    it("is rejected from another site", async () => {
      const browser = await signedIn();
      const headers = { "sec-fetch-site": "cross-site" };
      const answer = await browser.call("DELETE /browser-session", { headers });
      expect(refusalOf(answer)).to.deep.equal([403, 7]);
      expect(await me(browser)).to.equal(200);
    });
  });

  describe("the list of a user's sessions", () => {
    it("shows the most recently used first, with a readable browser name", async () => {
      const old = await signedIn();
      await age("seen_at = now() - interval '5 minutes'");
      const current = await signedIn(true);
      const { status, body } = await current.call("GET /users/me/sessions");
      expect(status).to.equal(200);
      const [oldRow, currentRow] = await rows();
      expect(body["total"]).to.equal(2);
      expect(
        body["data"].map((one: Record<string, unknown>) => [one["id"], one["current"]]),
      ).to.deep.equal([
        [currentRow?.id, true],
        [oldRow?.id, false],
      ]);
      expect(body["data"][0]).to.include({
        ...{ browser: "Firefox 140", system: "Linux", embedded: true, user_agent: "node" },
      });
      expect(await me(old)).to.equal(200);
    });

    it("lets the user end single sessions; those of other users are not found", async () => {
      const [here, there] = [await signedIn(), await signedIn()];
      const [, row] = await rows();
      const stranger = aBrowser();
      const admin = await aMember({
        ...{ enterprise_id: accounts.enterprise.id, password_hash: accounts.passwordHash },
      });
      await stranger.signIn(admin.login, password);
      const path = `DELETE /users/me/sessions/${row?.id}`;
      expect((await stranger.call(path)).status).to.equal(404);
      expect((await here.call(path)).status).to.equal(204);
      expect((await here.call(path)).status).to.equal(404);
      expect([await me(here), await me(there)]).to.deep.equal([200, 401]);
      const entries = await auditOf(accounts.enterprise.id);
      expect(entries.at(-1)).to.include({ action: "revoke", object: "user" });
      expect(entries.at(-1)?.changes).to.deep.equal({ session: { from: row?.id } });
    });

    it("excludes expired sessions", async () => {
      await signedIn();
      await age("seen_at = now() - interval '31 minutes'");
      const current = await signedIn();
      const { body } = await current.call("GET /users/me/sessions");
      expect(body["total"]).to.equal(1);
    });
  });
});
