import { expect } from "chai";
import { runCli, urlOf } from "../support/cli-shell.ts";

const login = { SIGHTLINE_LOGIN: "admin@demo.example", SIGHTLINE_PASSWORD: "a secret" };

/** A platform whose access tokens are valid for one call only. */
function singleUseTokens() {
  const calls: string[] = [];
  let issued = 0;
  let used = 0;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { pathname } = urlOf(url);
    if (pathname === "/api/token") {
      issued += 1;
      calls.push(`token ${String(init?.body as URLSearchParams)}`);
      return Response.json({ access_token: `t${issued}`, expires_in: 3_600 });
    }
    const authorization = new Headers(init?.headers).get("authorization") ?? "";
    calls.push(`${pathname} ${authorization}`);
    if (authorization !== `Bearer t${issued}` || used === issued) {
      return Response.json({ code: 4, detail: "The token is over." }, { status: 401 });
    }
    used = issued;
    return Response.json({
      ...{ since: "a", until: "b", gaps: [] },
      next_cursor: issued < 2 ? "c" : null,
    });
  };
  return { calls, fetch };
}

const words = ["reconcile", "--since", "2026-11-20", "--json"];

describe("credentials of the command line", () => {
  it("request a token once, and again when it expires", async () => {
    const { calls, fetch } = singleUseTokens();
    const { code } = await runCli(words, { env: login, fetch });
    expect(code).to.equal(0);
    expect(calls.map((call) => call.split(" ")[0])).to.deep.equal([
      "token",
      "/api/webhooks/reconcile",
      "/api/webhooks/reconcile",
      "token",
      "/api/webhooks/reconcile",
    ]);
    expect(calls[0]).to.contain("username=admin%40demo.example&password=a+secret");
  });

  it("do not send the password to a redirect", async () => {
    const asked: (string | undefined)[] = [];
    const { fetch } = singleUseTokens();
    await runCli(words, {
      env: login,
      fetch: async (url, init) => {
        asked.push(init?.redirect);
        return fetch(url, init);
      },
    });
    expect([...new Set(asked)]).to.deep.equal(["error"]);
  });

  it("report a rejected token once", async () => {
    const fetch = async () => Response.json({ code: 4, detail: "It is over." }, { status: 401 });
    const { code, err } = await runCli(words, { env: { SIGHTLINE_TOKEN: "mine" }, fetch });
    expect([code, err]).to.deep.equal([3, "Refused with 401, code 4: It is over.\n"]);
  });

  it("wait for Retry-After of a busy platform", async () => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return calls === 1
        ? Response.json({ code: 12 }, { status: 429, headers: { "Retry-After": "0" } })
        : Response.json({ since: "a", until: "b", gaps: [], next_cursor: null });
    };
    const { code } = await runCli(words, { env: { SIGHTLINE_TOKEN: "mine" }, fetch });
    expect([code, calls]).to.deep.equal([0, 2]);
  });

  it("are never printed, for any error", async () => {
    const refused = async () => Response.json({ detail: "Bad login." }, { status: 401 });
    const { code, out, err } = await runCli(words, { env: login, fetch: refused });
    expect([code, out, err]).to.deep.equal([3, "", "Sign-in failed: Bad login.\n"]);
    const url = { SIGHTLINE_URL: "https://user:pass@sightline.test", SIGHTLINE_TOKEN: "mine" };
    const userinfo = await runCli(words, { env: url, fetch: refused });
    expect(userinfo.code).to.equal(2);
    expect(userinfo.err).to.not.contain("pass@").and.to.not.contain("mine");
  });

  it("are required, with the address", async () => {
    for (const env of [
      {},
      { SIGHTLINE_LOGIN: "x" },
      { SIGHTLINE_TOKEN: "x", SIGHTLINE_URL: "here" },
    ]) {
      expect((await runCli(words, { env })).code).to.equal(2);
    }
  });
});
