import { expect } from "chai";
import { createCustomerLinks } from "../../src/pages/public-links.ts";
import { allowed, servePages, type PageServer } from "../support/built-pages.ts";

const secret = "S3cretOfTheCustomer0123456789";
const browser = { accept: "text/html", "accept-language": "fr" };

describe("link in invitations", () => {
  let server: PageServer;
  let asked: string[] = [];
  let isAllowed = true;
  beforeEach(async () => {
    asked = [];
    isAllowed = true;
    server = await servePages(
      createCustomerLinks({
        limiter: { take: async () => ({ ...allowed, isAllowed }) },
        findInformationCode: async (input) => {
          asked.push(input);
          const kind = input.startsWith("deleted") ? "over" : "unknown";
          return input === secret ? { kind: "found", code: "LchoxMPI4X" } : { kind };
        },
      }),
    );
  });
  afterEach(() => server.close());

  const get = (path: string, method = "GET") =>
    fetch(`${server.url}${path}`, { method, headers: browser, redirect: "manual" });

  it("redirects to the information page without its secret and query", async () => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await get(`/v/${secret}?utm=1`, method);
      expect(answer.status).to.equal(302);
      expect(answer.headers.get("location")).to.equal("/i/LchoxMPI4X");
      expect(answer.headers.get("cache-control")).to.equal("no-store");
      expect(answer.headers.get("referrer-policy")).to.equal("no-referrer");
      expect(await answer.text()).to.not.contain(secret);
    }
  });

  it("reports in the reader's language that it does not exist or has expired", async () => {
    const unknown = await get("/v/unknown");
    expect([unknown.status, await unknown.text()][0]).to.equal(404);
    const over = await get("/v/deleted1");
    expect(over.status).to.equal(410);
    expect(await over.text()).to.contain("<h1>Ce lien a expiré</h1>");
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
