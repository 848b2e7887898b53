import { text } from "node:stream/consumers";
import { expect } from "chai";
import { createKnownClients, type SignInClient } from "../../../src/accounts/sign-in/throttling.ts";
import { Problem } from "../../../src/contracts/problems.ts";
import {
  password,
  startAccountsApi,
  useAccounts,
  type AccountsApi,
} from "../../support/accounts-api.ts";
import { openBrowser } from "../../support/cookie-client.ts";
import { useDatabase } from "../../support/database.ts";
import { sendRaw } from "../../support/raw-request.ts";
import { testKey } from "../../support/secret-box.ts";

const attacker = "192.0.2.66";
const office = "203.0.113.9";
const elsewhere = "198.51.100.7";

describe("sign-in during password guessing", () => {
  const database = useDatabase();
  const accounts = useAccounts(database);
  let api: AccountsApi;
  // Throttled logins are checked at a rate of one password per second.
  before("start a separate API", async () => {
    api = await startAccountsApi(database.db, { rules: { tokenPerLogin: 60, tokenPerIp: 20 } });
  });
  after(() => api.close());

  /** Returns the type of the problem, or "in" after a successful sign-in. */
  const tryWith = async (
    client: SignInClient,
    input = password,
    login = accounts.user.login,
  ): Promise<string> => {
    const grant = { login, password: input, client, isOffline: false };
    try {
      await api.accounts.grantByPassword(grant);
      return "in";
    } catch (thrown) {
      return thrown instanceof Problem ? thrown.kind : String(thrown);
    }
  };
  const from = (network: string, value?: string) => tryWith({ network }, value);
  const guess = async (network: string, times: number): Promise<string[]> => {
    const results: string[] = [];
    for (let i = 0; i < times; i += 1) {
      results.push(await from(network, `Wrong-${i}`));
    }
    return results;
  };
  const throttled = () => api.warnings.filter(({ event }) => event === "sign_in.throttled").length;

  it("rejects an attacker, and admits the user from a known network", async () => {
    expect(await from(office)).to.equal("in");
    const results = await guess(attacker, 12);
    expect(results).to.deep.equal([
      ...Array(5).fill("bad_login"),
      ...Array(7).fill("rate_limited"),
    ]);
    expect(await from(attacker)).to.equal("rate_limited");
    expect(await from(office)).to.equal("in");
    expect(await from(elsewhere)).to.equal("in");
  });

  it("does so over HTTP, by the client addresses of the calls", async () => {
    const { login } = accounts.user;
    const call = async (localAddress: string, secretText: string): Promise<number> => {
      const fields = { grant_type: "password", username: login, password: secretText };
      const answer = await sendRaw(api.url, {
        localAddress,
        method: "POST",
        path: `/api/token?${new URLSearchParams(fields).toString()}`,
        agent: false,
        headers: { "content-length": "0", connection: "close" },
      });
      await text(answer);
      return answer.statusCode ?? 0;
    };
    expect(await call("127.0.0.9", password)).to.equal(200);
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      statuses.push(await call("127.0.0.20", `Wrong-${i}`));
    }
    expect(statuses).to.deep.equal([...Array(5).fill(401), ...Array(7).fill(429)]);
    expect(await call("127.0.0.9", password)).to.equal(200);
    expect(await call("127.0.0.10", password)).to.equal(200);
  });

  it("throttles unknown clients, and only them, after ten failures of the login", async () => {
    await from(office);
    for (const network of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      await guess(network, network.endsWith("3") ? 2 : 4);
    }
    const before = throttled();
    expect(await from(office)).to.equal("in");
    expect(throttled()).to.equal(before);
    expect(await from(elsewhere)).to.equal("in");
    expect(throttled()).to.equal(before + 1);
    // The user is now a known client there.
    expect(await from(elsewhere)).to.equal("in");
    expect(throttled()).to.equal(before + 1);
  });

  it("counts the failures of all spellings of a login together", async () => {
    const login = `admin-${accounts.user.id}@test.example`;
    await database.db("users").where({ id: accounts.user.id }).update({ login });
    const spellings = [login, login.toUpperCase(), login.replace("i", "\u0130")];
    for (const spelling of spellings) {
      expect(await tryWith({ network: office }, password, spelling), spelling).to.equal("in");
    }
    const results: string[] = [];
    for (const spelling of [...spellings, ...spellings]) {
      results.push(await tryWith({ network: attacker }, "Wrong", spelling));
    }
    expect(results).to.deep.equal([...Array(5).fill("bad_login"), "rate_limited"]);
  });

  it("holds a burst from many addresses to the fixed rate", async () => {
    const startedAt = performance.now();
    const burst = Array.from({ length: 13 }, (_, i) => from(`10.0.${i}.1`, "Wrong"));
    expect(new Set(await Promise.all(burst))).to.deep.equal(new Set(["bad_login"]));
    // Ten failures are not throttled, and one check was in flight: each of the others takes a
    // second.
    expect(performance.now() - startedAt).to.be.greaterThan(900);
  });

  it("throttles a known network instead of rejecting it", async () => {
    await from(office);
    expect(new Set(await guess(office, 6))).to.deep.equal(new Set(["bad_login"]));
    const before = throttled();
    expect(await from(office)).to.equal("in");
    expect(throttled()).to.equal(before + 1);
  });

  it("does not count the failures of others in the network against a known browser", async () => {
    const browser = "b".repeat(43);
    await tryWith({ network: office, browser });
    await guess(office, 5);
    const before = throttled();
    expect(await tryWith({ network: office, browser })).to.equal("in");
    expect(await tryWith({ network: attacker, browser })).to.equal("in");
    expect(throttled()).to.equal(before);
  });

  it("recognizes a browser by its cookie, which survives a sign-out", async () => {
    const browser = openBrowser(api.url);
    await browser.signIn(accounts.user.login, password);
    await browser.call("DELETE /browser-session");
    const { mark } = browser;
    expect(mark).to.match(/^__Host-browser=[\w-]{43}$/u);
    // Exhausts the rate limit of the IP address.
    const stranger = openBrowser(api.url);
    const statuses: number[] = [];
    for (let i = 0; i < 21; i += 1) {
      statuses.push((await stranger.signIn(`nobody-${i}`, "Wrong")).status);
    }
    expect(statuses.at(-1)).to.equal(429);
    expect((await browser.signIn(accounts.user.login, password)).status).to.equal(200);
    expect(browser.mark).to.equal(mark);
    expect((await stranger.signIn("nobody", "Wrong")).status).to.equal(429);
  });

  it("forgets all clients when the password is reset, except the network of the reset", async () => {
    await from(office);
    const { id, login } = accounts.user;
    await database.db.raw("UPDATE users SET email = 'ann@test.example' WHERE id = ?", [id]);
    const browser = openBrowser(accounts.api.url);
    await browser.call("POST /password/request", { json: { login } });
    const token = /#token=([\w-]{43})$/mu.exec(accounts.api.mails.at(-1)?.text ?? "")?.[1];
    const json = { token, password: "Another-Horse-8" };
    expect((await browser.call("POST /password", { json })).status).to.equal(204);
    const known = createKnownClients(testKey);
    const isKnown = (network: string) => known.find(database.db, login, { network });
    expect(await isKnown(office)).to.equal(undefined);
    expect(await isKnown("127.0.0.1")).to.equal("network");
  });
});
