import { expect } from "chai";
import { createCustomerLinks } from "../../src/pages/public-links.ts";
import { allowed, servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";

const secret = "S3cretOfTheCustomer0123456789";
const browser = { accept: "text/html", "accept-language": "fr" };

describe("link in invitations", () => {
  const dist = useDistFolder();
  let server: PageServer;
  let asked: string[] = [];
  let isAllowed = true;
  let frameAncestors: string[] = [];
  beforeEach(async () => {
    asked = [];
    isAllowed = true;
    frameAncestors = ["'self'", "https://crm.example"];
    await dist.add("aaaaaaaaaaaaaaaa", {
      "visit/index.html": `<title>visit</title><script nonce="__CSP_NONCE__"></script>`,
    });
    server = await servePages(
      createCustomerLinks({
        built: dist.built,
        limiter: { take: async () => ({ ...allowed, isAllowed }) },
        findVisit: async (input) => {
          asked.push(input);
          const kind = input.startsWith("deleted") ? "deleted" : "unknown";
          return input === secret ? { kind: "found", frameAncestors } : { kind };
        },
      }),
    );
  });
  afterEach(() => server.close());

  const get = (path: string, method = "GET") =>
    fetch(`${server.url}${path}`, { method, headers: browser, redirect: "manual" });

  it("shows the customer page, uncached, not indexed, and without a referrer", async () => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await get(`/v/${secret}?utm=1`, method);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("cache-control")).to.equal("no-store");
      expect(answer.headers.get("referrer-policy")).to.equal("no-referrer");
      expect(answer.headers.get("x-robots-tag")).to.equal("noindex");
      expect(answer.headers.get("permissions-policy")).to.equal(
        "camera=(self), microphone=(self), geolocation=(self), display-capture=(self)",
      );
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
      const text = await answer.text();
      expect(text).to.not.contain(secret);
      expect(text).to.match(method === "GET" ? /<title>visit<\/title>/u : /^$/u);
    }
  });

  it("can be framed only by the domains of the enterprise", async () => {
    const { headers } = await get(`/v/${secret}`);
    expect(headers.get("content-security-policy")).to.match(
      /frame-ancestors 'self' https:\/\/crm\.example$/u,
    );
    expect(headers.get("x-frame-options")).to.equal(null);
    frameAncestors = ["'self'"];
    const own = await get(`/v/${secret}`);
    expect(own.headers.get("content-security-policy")).to.match(/frame-ancestors 'self'$/u);
    expect(own.headers.get("cross-origin-resource-policy")).to.equal("same-origin");
  });

  it("says in the reader's language that it is unknown or was revoked", async () => {
    const unknown = await get("/v/unknown");
    expect([unknown.status, await unknown.text()][0]).to.equal(404);
    const deleted = await get("/v/deleted1");
    expect(deleted.status).to.equal(410);
    expect(await deleted.text()).to.contain("<h1>Cette invitation a été retirée</h1>");
    expect(deleted.headers.get("x-frame-options")).to.equal("DENY");
    expect(asked).to.deep.equal(["unknown", "deleted1"]);
    expect((await get("/v/..%2f..%2fetc")).status).to.equal(404);
    expect(asked).to.have.length(2);
  });

  it("is rate-limited, and accepts only GET", async () => {
    isAllowed = false;
    expect((await get(`/v/${secret}`)).status).to.equal(429);
    expect(asked).to.deep.equal([]);
    expect((await get(`/v/${secret}`, "POST")).status).to.equal(405);
  });
});
