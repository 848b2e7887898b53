import { expect } from "chai";
import { authenticateToken, hashToken } from "../../src/accounts/identities.ts";
import { openPool, rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { startAccountsApi, useAccounts } from "../support/accounts-api.ts";
import { useDatabase } from "../support/database.ts";
import { promised } from "../support/promised.ts";
import { untilWaiting } from "../support/waiting.ts";

describe("accounts service", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  const { form, login, jsonOf, tokenOf, me, setUser } = accounts;

  describe("a token", () => {
    it("is rejected as soon as it is revoked", async () => {
      const token = await tokenOf();
      const other = await tokenOf();
      const response = await fetch(`${accounts.api.url}/api/token`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).to.equal(204);
      expect(await jsonOf(await me(token))).to.include({ status: 401, code: 4 });
      expect((await me(other)).status).to.equal(200);
    });

    it("expires", async () => {
      const token = await tokenOf();
      await database.db.raw("UPDATE tokens SET expires_at = now() WHERE user_id = ?", [
        accounts.user.id,
      ]);
      expect((await me(token)).status).to.equal(401);
    });

    it("is valid for the configured lifetime", async () => {
      const short = await startAccountsApi(database.db, { tokenTtlSeconds: 60 });
      const body = await jsonOf(await login({}, short.url));
      expect(body["expires_in"]).to.equal(60);
      const [row] = await rowsOf<{ seconds: number }>(
        database.db,
        `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM tokens
         WHERE user_id = ?`,
        [accounts.user.id],
      );
      expect(row?.seconds).to.equal(60);
      await short.close();
    });

    it("is rejected when the user is disabled", async () => {
      const token = await tokenOf();
      await setUser("is_active = false");
      expect((await me(token)).status).to.equal(401);
    });

    it("of the kind refresh is not an access token", async () => {
      const body = await jsonOf(await login({ scope: "offline" }));
      expect((await me(String(body["refresh_token"]))).status).to.equal(401);
    });

    it("carries the user's role and groups", async () => {
      const [group] = await rowsOf<{ id: number }>(
        database.db,
        "INSERT INTO groups (enterprise_id, name) VALUES (?, 'Support') RETURNING id",
        [accounts.enterprise.id],
      );
      await database.db.raw("INSERT INTO group_members VALUES (?, ?, ?)", [
        accounts.enterprise.id,
        group?.id ?? 0,
        accounts.user.id,
      ]);
      const token = await tokenOf();
      const { expiresInMs, ...authenticated } =
        (await authenticateToken(database.db, token)) ?? expect.fail("not authenticated");
      expect(expiresInMs).to.be.within(86_300_000, 86_400_000);
      expect(authenticated).to.deep.equal({
        caller: {
          userId: accounts.user.id,
          enterpriseId: accounts.enterprise.id,
          login: accounts.user.login,
          role: "agent",
          accountType: "solution",
          groupIds: [group?.id],
          token,
        },
        hasSolution: true,
      });
    });
  });

  describe("a refresh token", () => {
    const refresh = (token: unknown): Promise<Response> =>
      form({ grant_type: "refresh_token", refresh_token: String(token) });

    it("is issued only on request, and works once", async () => {
      const first = await jsonOf(await login({ scope: "offline" }));
      expect(first["refresh_token"]).to.match(/^[\w-]{43}$/u);
      const response = await refresh(first["refresh_token"]);
      const second = await jsonOf(response);
      expect(response.status).to.equal(200);
      expect(Object.keys(second)).to.deep.equal([
        "access_token",
        "created_at",
        "expires_in",
        "token_type",
        "refresh_token",
      ]);
      expect(second["refresh_token"]).to.not.equal(first["refresh_token"]);
      expect((await me(String(second["access_token"]))).status).to.equal(200);
      expect((await refresh(second["refresh_token"])).status).to.equal(200);
    });

    it("revokes its whole family when it is reused, and no other family", async () => {
      const first = await jsonOf(await login({ scope: "offline" }));
      const other = await tokenOf();
      const second = await jsonOf(await refresh(first["refresh_token"]));
      const reused = await refresh(first["refresh_token"]);
      expect(reused.status).to.equal(401);
      expect(await jsonOf(reused)).to.include({ code: 4, error: "invalid_grant" });
      expect((await me(String(second["access_token"]))).status).to.equal(401);
      expect((await refresh(second["refresh_token"])).status).to.equal(401);
      expect((await me(other)).status).to.equal(200);
      expect(accounts.api.warnings.at(-1)).to.deep.include({
        event: "token.reused",
        fields: { userId: accounts.user.id, enterpriseId: accounts.enterprise.id },
      });
    });

    it("works for only one of two concurrent uses", async () => {
      const { refresh_token: token } = await jsonOf(await login({ scope: "offline" }));
      const answers = await Promise.all([refresh(token), refresh(token)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
        200, 401,
      ]);
    });

    const waiting = (count?: number) => untilWaiting(database.db, count);

    /** Runs `revoke` while a refresh is about to store its tokens. Out: these tokens. */
    const duringRefresh = async (token: unknown, revoke: () => Promise<unknown>) => {
      let answers: Promise<[Response, unknown]> | undefined;
      await inTransaction(database.db, async (trx) => {
        const hash = hashToken(String(token));
        await rowsOf(trx, "SELECT FROM tokens WHERE hash = ? FOR UPDATE", [hash]);
        const refreshing = refresh(token);
        await waiting();
        answers = Promise.all([refreshing, revoke()]);
        await waiting(2);
      });
      const [refreshed] = (await answers) ?? expect.fail("not refreshed");
      expect(refreshed.status).to.equal(200);
      return jsonOf(refreshed);
    };

    const expectRevoked = async (issued: Record<string, unknown>): Promise<void> => {
      expect((await me(String(issued["access_token"]))).status).to.equal(401);
      expect((await refresh(issued["refresh_token"])).status).to.equal(401);
    };

    it("leaves no valid tokens behind if it is used during the sign-out", async () => {
      const first = await jsonOf(await login({ scope: "offline" }));
      const signOut = () => accounts.api.accounts.revoke({ token: String(first["access_token"]) });
      await expectRevoked(await duringRefresh(first["refresh_token"], signOut));
    });

    it("leaves no valid tokens behind if it is used while an older one is reused", async () => {
      const { refresh_token: first } = await jsonOf(await login({ scope: "offline" }));
      const { refresh_token: second } = await jsonOf(await refresh(first));
      await expectRevoked(await duringRefresh(second, () => refresh(first)));
    });

    it("ends after 30 days, when the user is disabled, and when its access token is revoked", async () => {
      const expired = await jsonOf(await login({ scope: "offline" }));
      const [row] = await rowsOf<{ days: number }>(
        database.db,
        `UPDATE tokens t SET expires_at = now() FROM tokens old
         WHERE t.user_id = ? AND t.kind = 'refresh' AND old.hash = t.hash
         RETURNING extract(epoch FROM old.expires_at - old.created_at)::int / 86400 AS days`,
        [accounts.user.id],
      );
      expect(row?.days).to.equal(30);
      expect((await refresh(expired["refresh_token"])).status).to.equal(401);

      const revoked = await jsonOf(await login({ scope: "offline" }));
      await accounts.api.accounts.revoke({ token: String(revoked["access_token"]) });
      expect((await refresh(revoked["refresh_token"])).status).to.equal(401);

      const off = await jsonOf(await login({ scope: "offline" }));
      await setUser("is_active = false");
      expect((await refresh(off["refresh_token"])).status).to.equal(401);
    });

    it("is rejected if it was never issued", async () => {
      expect((await refresh("x")).status).to.equal(401);
      const access = await tokenOf();
      expect((await refresh(access)).status).to.equal(401);
    });
  });

  describe("limits of the token endpoint", () => {
    const refused = async (response: Response): Promise<void> => {
      expect(response.status).to.equal(429);
      expect(Number(response.headers.get("retry-after"))).to.be.within(1, 900);
      expect(await jsonOf(response)).to.include({ code: 12, error: "too_many_requests" });
    };

    it("count requests per address for every grant type", async () => {
      const limited = await startAccountsApi(database.db, { rules: { tokenPerIp: 3 } });
      await login({ username: "a" }, limited.url);
      const fields = { grant_type: "refresh_token", refresh_token: "x" };
      expect((await form(fields, limited.url)).status).to.equal(401);
      expect((await form({ grant_type: "x" }, limited.url)).status).to.equal(400);
      await refused(await login({}, limited.url));
      await limited.close();
    });

    it("report the remaining failures of the address, and do not count successes", async () => {
      const limited = await startAccountsApi(database.db, { rules: { tokenPerIp: 3 } });
      const standingOf = ({ status, headers }: Response) =>
        [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")].join();
      const refresh = (token: unknown) =>
        form({ grant_type: "refresh_token", refresh_token: String(token) }, limited.url);
      for (let i = 0; i < 5; i += 1) {
        expect(standingOf(await login({}, limited.url))).to.equal("200,3,3");
      }
      const { refresh_token: token } = await jsonOf(await login({ scope: "offline" }, limited.url));
      expect(standingOf(await refresh(token))).to.equal("200,3,3");
      expect(standingOf(await login({ password: "Wrong" }, limited.url))).to.equal("401,3,2");
      expect(standingOf(await refresh("x"))).to.equal("401,3,1");
      expect(standingOf(await form({}, limited.url))).to.equal("400,3,0");
      await refused(await refresh("x"));
      await limited.close();
    });

    it("reject an unknown address after five failures", async () => {
      for (let i = 0; i < 5; i += 1) {
        expect((await login({ password: `Wrong-${i}` })).status).to.equal(401);
      }
      await refused(await login());
    });

    it("hold for parallel guesses", async () => {
      const guesses = Array.from({ length: 20 }, (_, i) => login({ password: `Wrong-${i}` }));
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).to.have.length.within(5, 6);
      expect(statuses.filter((status) => status === 429)).to.have.length.within(14, 15);
    });

    it("reset the failures after a success", async () => {
      for (let round = 0; round < 2; round += 1) {
        for (let i = 0; i < 4; i += 1) {
          expect((await login({ password: `Wrong-${i}` })).status).to.equal(401);
        }
        expect((await login()).status).to.equal(200);
      }
    });
  });

  it("answers 503 with Retry-After while the database is unavailable", async () => {
    const gone = openPool({ url: "postgres://x:x@127.0.0.1:1/x", maxConnections: 1, name: "test" });
    const other = await startAccountsApi(gone);
    const startedAt = performance.now();
    const answers = await Promise.all([
      login({}, other.url),
      fetch(`${other.url}/api/v2/users/me`, { headers: { authorization: "Bearer x" } }),
    ]);
    for (const response of answers) {
      expect(response.status).to.equal(503);
      expect(Number(response.headers.get("retry-after"))).to.be.greaterThan(0);
      expect(await jsonOf(response)).to.include({ code: 2 });
    }
    expect(performance.now() - startedAt).to.be.lessThan(promised(5_000));
    await other.close();
    await gone.destroy();
  });
});
