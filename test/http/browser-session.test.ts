import { expect } from "chai";
import type { Problem } from "../../src/contracts/problems.ts";
import {
  authenticateBrowser,
  isSameOrigin,
  sessionCookieName,
  sessionIdsOf,
  type BrowserSession,
} from "../../src/http/browser-session.ts";
import { testCaller } from "../support/api.ts";

const baseUrl = "https://video.example.com";

function doorOf(headers: Record<string, string>, aliases: readonly string[] = []) {
  return {
    baseUrl,
    isAlias: async (host: string) => aliases.includes(host),
    header: (name: string): string | undefined => headers[name],
  };
}

describe("session cookie in a request", () => {
  it("has the __Host- prefix where possible", () => {
    expect(sessionCookieName("https://video.example.com")).to.equal("__Host-sid");
    expect(sessionCookieName("http://localhost:3000")).to.equal("sid");
  });

  it("is found among other cookies", () => {
    const found = (header: string | undefined) => sessionIdsOf(header, baseUrl);
    expect(found("a=b; __Host-sid=x-Y_1; sid=other")).to.deep.equal(["x-Y_1"]);
    expect(found("__Host-sid=a=b")).to.deep.equal(["a=b"]);
    for (const none of [undefined, "", "sid=x", "__Host-sid=", "__Host-sidx=1", "x__Host-sid=1"]) {
      expect(found(none), none).to.deep.equal([]);
    }
    expect(sessionIdsOf("__Host-sid=a; sid=b", "http://localhost:3000")).to.deep.equal(["b"]);
  });

  it("is found up to four times, without duplicates", () => {
    const cookies = ["one", "two", "one", "three", "four", "five"].map((id) => `__Host-sid=${id}`);
    const found = sessionIdsOf(cookies.join("; "), baseUrl);
    expect(found).to.deep.equal(["one", "two", "three", "four"]);
  });
});

describe("same-origin call", () => {
  const verdict = (headers: Record<string, string>, aliases?: readonly string[]) =>
    isSameOrigin(doorOf(headers, aliases));

  it("is detected by Sec-Fetch-Site", async () => {
    expect(await verdict({ "sec-fetch-site": "same-origin" })).to.equal(true);
    for (const site of ["same-site", "cross-site", "none", "", "Same-Origin"]) {
      const headers = { "sec-fetch-site": site, origin: baseUrl };
      expect(await verdict(headers), site).to.equal(false);
    }
  });

  it("is detected by Origin if the browser sends no Sec-Fetch-Site", async () => {
    expect(await verdict({ origin: baseUrl })).to.equal(true);
    for (const origin of [
      "null",
      "",
      "http://video.example.com",
      "https://video.example.com:8443",
      "https://video.example.com.evil.example",
      "https://evil.example",
    ]) {
      expect(await verdict({ origin, host: "video.example.com" }), origin).to.equal(false);
    }
    expect(await verdict({}), "nothing said").to.equal(false);
  });

  it("may use the custom domain of the request, and no other host", async () => {
    const aliases = ["video.crm.example.com"];
    const origin = "https://video.crm.example.com";
    expect(await verdict({ origin, host: "video.crm.example.com" }, aliases)).to.equal(true);
    expect(await verdict({ origin, host: "video.example.com" }, aliases)).to.equal(false);
    expect(await verdict({ origin, host: "video.crm.example.com" }, [])).to.equal(false);
    expect(await verdict({ origin: "https://a b", host: "a b" }, ["a b"])).to.equal(false);
    expect(await verdict({ origin: "https://", host: "" }, [""])).to.equal(false);
  });
});

describe("authentication by cookie", () => {
  const session = (isEmbedded = false): BrowserSession => ({
    caller: testCaller({ token: "", sessionId: 4 }),
    hasSolution: true,
    csrfToken: "the-token",
    isEmbedded,
  });
  type SessionSetup = {
    headers?: Record<string, string>;
    method?: string;
    isEmbedded?: boolean;
    ids?: readonly string[];
  };
  let asked: string[];
  beforeEach(() => {
    asked = [];
  });

  const outcome = async (input: SessionSetup) => {
    const { headers = {}, method = "POST", isEmbedded, ids = ["good"] } = input;
    const find = async (id: string) => {
      asked.push(id);
      return id === "good" ? session(isEmbedded) : undefined;
    };
    try {
      const who = await authenticateBrowser({ find }, doorOf(headers), { ids, method });
      return who.caller.userId;
    } catch (thrown) {
      const { kind, details } = thrown as Problem;
      return `${kind} ${details ?? ""}`;
    }
  };
  const own = { "sec-fetch-site": "same-origin" };
  const token = { "x-csrf-token": "the-token" };

  it("needs a same-origin request and the CSRF token for changes", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const met = (headers: Record<string, string>) => outcome({ method, headers });
      expect(await met({ ...own, ...token }), method).to.equal(7);
      expect(await met({ origin: baseUrl, ...token }), method).to.equal(7);
      expect(await met(own), method).to.equal("csrf Header X-CSRF-TOKEN");
      for (const wrong of ["", "the-toke", "the-token2", "THE-TOKEN"]) {
        const headers = { ...own, "x-csrf-token": wrong };
        expect(await met(headers), method).to.equal("csrf Header X-CSRF-TOKEN");
      }
      expect(await met(token), method).to.equal("csrf Header Sec-Fetch-Site");
      for (const site of ["cross-site", "same-site", "none"]) {
        const headers = { ...token, "sec-fetch-site": site };
        expect(await met(headers), `${method} ${site}`).to.equal("csrf Header Sec-Fetch-Site");
      }
    }
  });

  it("looks up no session for a cross-site change", async () => {
    await outcome({ headers: { ...token, "sec-fetch-site": "cross-site" } });
    expect(asked).to.deep.equal([]);
  });

  it("needs neither for reads, but rejects cross-site reads", async () => {
    for (const method of ["GET", "HEAD"]) {
      for (const site of ["same-origin", "same-site", "none"]) {
        expect(await outcome({ method, headers: { "sec-fetch-site": site } }), site).to.equal(7);
      }
      expect(await outcome({ method }), "an older browser").to.equal(7);
      const headers = { "sec-fetch-site": "cross-site" };
      expect(await outcome({ method, headers })).to.equal("csrf Header Sec-Fetch-Site");
      expect(await outcome({ method, headers, isEmbedded: true })).to.equal(7);
    }
  });

  it("rejects cross-site changes of an embedded session", async () => {
    const headers = { ...token, "sec-fetch-site": "cross-site" };
    expect(await outcome({ headers, isEmbedded: true })).to.equal("csrf Header Sec-Fetch-Site");
  });

  it("uses the first valid session and looks up no others", async () => {
    const ids = ["gone", "good", "other"];
    expect(await outcome({ headers: { ...own, ...token }, ids })).to.equal(7);
    expect(asked).to.deep.equal(["gone", "good"]);
    expect(await outcome({ headers: own, method: "GET", ids: ["gone", "lost"] })).to.match(
      /^no_token/u,
    );
  });

  it("uses the session that matches the CSRF token if the browser sends two", async () => {
    const owners: Record<string, BrowserSession> = {
      other: { ...session(), caller: testCaller({ userId: 8 }), csrfToken: "of-another" },
      mine: session(),
    };
    const find = async (id: string) => owners[id];
    const ids = ["other", "mine"];
    const door = doorOf({ ...own, ...token });
    const who = await authenticateBrowser({ find }, door, { ids, method: "POST" });
    expect(who.caller.userId).to.equal(7);
    const neither = doorOf({ ...own, "x-csrf-token": "of-nobody" });
    const thrown = await authenticateBrowser({ find }, neither, { ids, method: "POST" }).catch(
      (error: unknown) => error as Problem,
    );
    expect(thrown).to.include({ kind: "csrf" });
  });

  it("expires with the session", async () => {
    const find = async () => undefined;
    for (const method of ["GET", "POST"]) {
      const call = { ids: ["gone"], method };
      const thrown = await authenticateBrowser({ find }, doorOf({ ...own, ...token }), call).catch(
        (error: unknown) => error as Problem,
      );
      expect(thrown).to.include({ kind: "no_token" });
    }
  });
});
