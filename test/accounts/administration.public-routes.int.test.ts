import { expect } from "chai";
import { startAccountsApi, useAccounts } from "../support/accounts-api.ts";
import { useDatabase } from "../support/database.ts";

describe("POST /api/checkUserToken", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);

  const claimOf = async (more: Record<string, string> = {}) =>
    new URLSearchParams({
      apiKey: accounts.enterprise.api_key,
      userId: String(accounts.user.id),
      token: await accounts.tokenOf(),
      ...more,
    }).toString();

  it("confirms that a token belongs to the user, with a query and with a form", async () => {
    const claim = await claimOf();
    const url = `${accounts.api.url}/api/checkUserToken`;
    for (const response of [
      await fetch(`${url}?${claim}`, { method: "POST" }),
      await fetch(url, { method: "POST", body: new URLSearchParams(claim) }),
    ]) {
      expect(response.status).to.equal(200);
      expect(await response.json()).to.deep.equal({ valid: true });
    }
  });

  it("gives the same answer for a wrong token, user or key, and for a disabled user", async () => {
    const other = await accounts.aMember();
    const bodies = [];
    for (const claim of [
      await claimOf({ token: "x" }),
      await claimOf({ token: other.token }),
      await claimOf({ userId: String(other.id) }),
      await claimOf({ apiKey: "0".repeat(32) }),
    ]) {
      bodies.push((await accounts.call(`POST /checkUserToken?${claim}`)).body);
    }
    const claim = await claimOf();
    await accounts.setUser("is_active = false");
    bodies.push((await accounts.call(`POST /checkUserToken?${claim}`)).body);
    for (const { instance: _instance, ...body } of bodies) {
      expect(body).to.deep.equal({
        type: "https://sightline.example/problems/bad-token",
        title: "Invalid, expired or revoked token",
        status: 401,
        detail: "The access token is not valid for this user.",
        code: 4,
        message: "The access token is not valid for this user.",
        details: "",
        errors: [],
      });
    }
  });

  it("allows CORS only for the enterprise's domains, whether the token is valid or not", async () => {
    await database.db("enterprise_domains").insert({
      enterprise_id: accounts.enterprise.id,
      domain: "crm.example",
    });
    const url = `${accounts.api.url}/api/checkUserToken`;
    const ask = async (origin: string, claim: string) => {
      const body = new URLSearchParams(claim);
      return fetch(url, { method: "POST", body, headers: { origin } });
    };
    const accepted = await ask("https://crm.example", await claimOf());
    expect([accepted.status, accepted.headers.get("access-control-allow-origin")]).to.deep.equal([
      200,
      "https://crm.example",
    ]);
    const bad = await ask("https://crm.example", await claimOf({ token: "x" }));
    expect([bad.status, bad.headers.get("access-control-allow-origin")]).to.deep.equal([
      401,
      "https://crm.example",
    ]);
    for (const answer of [
      await ask("https://evil.example", await claimOf()),
      await ask("https://crm.example", await claimOf({ apiKey: "0".repeat(32) })),
    ]) {
      expect(answer.headers.get("access-control-allow-origin")).to.equal(null);
      expect(answer.headers.get("vary")).to.include("Origin");
    }
    expect(accepted.headers.get("access-control-allow-credentials")).to.equal(null);
  });

  it("names missing fields, and is rate-limited by address", async () => {
    const missing = await accounts.call("POST /checkUserToken?apiKey=x&userId=1");
    expect(missing.body).to.include({ status: 400, code: 9, details: "Parameter token" });
    const limited = await startAccountsApi(database.db, { rules: { guestPerIp: 1 } });
    const url = `${limited.url}/api/checkUserToken?apiKey=x&userId=1&token=x`;
    const statuses = [];
    for (let calls = 0; calls < 11; calls += 1) {
      statuses.push((await fetch(url, { method: "POST" })).status);
    }
    expect(statuses, "ten times what a guest may ask").to.deep.equal([...Array(10).fill(401), 429]);
    await limited.close();
  });
});
