import { expect } from "chai";
import express, { type Request } from "express";
import {
  createHomeRouter,
  createLocalCheck,
  createMailboxRouter,
} from "../../src/pages/local-pages.ts";
import type { TicketSessionRequest } from "../../src/contracts/tickets.ts";
import { sendBuiltPage } from "../../src/pages/page.ts";
import { createCustomerLinks } from "../../src/pages/public-links.ts";
import { consolePaths, createPagesRouter } from "../../src/pages/routes.ts";
import { pages } from "../../web/build/pages.ts";
import { allowed, servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";

/**
 * Pages that may be framed, either by origins that the enterprise allows or by the platform's own
 * pages.
 */
const framed = new Set(["quick-invitation", "loader-demo", "visit", "console/call"]);

/** The paths of each page. Those of the inbox are served by its routes. */
const placesOf: Record<string, string[]> = {
  console: consolePaths.flatMap((place) => [`/${place}`, `/${place}/deeper/7?tab=x`]),
  "console/call": ["/agent/entrypoint/3/tickets/7"],
  "quick-invitation": ["/quick-invitation", "/quick-invitation?reference=1"],
  information: ["/i/LchoxMPI4X", "/i/whatever"],
  "entry-point": ["/e/1", "/e/6"],
  visit: ["/v/S3cretOfTheCustomer012"],
  home: ["/"],
  mailbox: ["/mailbox"],
  "loader-demo": ["/loader-demo"],
  inbox: ["/inbox-page"],
  "inbox/unknown": ["/inbox-unknown-page"],
};

function html(page: string): string {
  return (
    `<title>${page}</title><script nonce="__CSP_NONCE__" src="/assets/a.js"></script>` +
    `<link nonce="__CSP_NONCE__">`
  );
}

const ports = {
  findFramePolicy: async () => ({ frameAncestors: ["'self'"], isService: true }),
  limiter: { take: async () => allowed },
  log: { warn: () => {} },
  openTicketSession: async ({ token, ticketId, isEmbedded }: TicketSessionRequest) =>
    token === "valid" ? [`sid=${ticketId}; HttpOnly${isEmbedded ? "; Partitioned" : ""}`] : [],
  isInformationKnown: async (request: Request) => request.params["code"] !== "UNKNOWNxxx",
  entryPoints: {
    limiter: { take: async () => allowed },
    findEntryPoint: async (buttonId: number) =>
      buttonId === 404
        ? undefined
        : { service_name: 'A "<b>"', enterprise_name: "Demo", language: "fr" },
  },
  mayHaveSession: () => true,
};

describe("pages", () => {
  const dist = useDistFolder();
  let server: PageServer;
  beforeEach(async () => {
    const { built } = dist;
    const hasLoaderDemo = true;
    const isLocal = createLocalCheck(true);
    server = await servePages(
      createPagesRouter({ ...ports, hasLoaderDemo, built }),
      createCustomerLinks({
        ...{ built, limiter: ports.limiter },
        findVisit: async () => ({ kind: "found", frameAncestors: ["'self'"] }),
      }),
      createHomeRouter({
        ...{ built, baseUrl: "https://demo.example", hasMailbox: false, hasLoaderDemo, isLocal },
        examples: { login: "a", agent: "b" },
      }),
      express
        .Router()
        .use("/mailbox", createMailboxRouter({ built, isLocal, unsent: {} as never })),
      express
        .Router()
        .get("/inbox-page", (_, response) => sendBuiltPage(response, { built, page: "inbox" }))
        .get("/inbox-unknown-page", (_, response) =>
          sendBuiltPage(response, { built, page: "inbox/unknown" }),
        ),
    );
  });
  afterEach(() => server.close());

  const addAll = (): Promise<void> =>
    dist.add(
      "aaaaaaaaaaaaaaaa",
      Object.fromEntries(Object.keys(placesOf).map((page) => [`${page}/index.html`, html(page)])),
    );
  const get = (path: string, method = "GET", headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { method, headers, redirect: "manual" });

  it("answer 404 with the page for an unknown information link", async () => {
    await addAll();
    const answer = await get("/i/UNKNOWNxxx");
    expect(answer.status).to.equal(404);
    expect(await answer.text()).to.contain("<title>information</title>");
  });

  it("include the data of an entry point, escaped", async () => {
    await dist.add("aaaaaaaaaaaaaaaa", { "entry-point/index.html": "<head></head>" });
    const answer = await get("/e/6");
    expect(await answer.text()).to.contain(
      '<meta name="entry-point" content="{&quot;service_name&quot;:&quot;A \\&quot;&lt;b>\\&quot;&quot;,',
    );
  });

  for (const place of ["/e/404", "/e/0", "/e/x", "/e/99999999999999999999"]) {
    it(`answer 404 with the page for the unknown entry point ${place}`, async () => {
      await dist.add("aaaaaaaaaaaaaaaa", { "entry-point/index.html": "<head></head>" });
      const answer = await get(place);
      expect(answer.status).to.equal(404);
      expect(await answer.text()).to.contain('<meta name="entry-point" content="null">');
    });
  }

  it("are all served", async () => {
    await addAll();
    // The API reference is served with the API; meeting-page.int.test.ts tests the meeting.
    const elsewhere = ["api-docs", "meeting"];
    const folders = pages.map(({ folder }) => folder).filter((name) => !elsewhere.includes(name));
    expect(Object.keys(placesOf)).to.include.members(folders);
    for (const [page, places] of Object.entries(placesOf)) {
      for (const place of places) {
        const answer = await get(place);
        expect(answer.status, place).to.equal(200);
        expect(answer.headers.get("content-type"), place).to.equal("text/html; charset=utf-8");
        expect(await answer.text(), place).to.contain(`<title>${page}</title>`);
      }
    }
  });

  it("run only our own scripts, with a new nonce each time", async () => {
    await addAll();
    const nonces = new Set<string>();
    for (const [place = ""] of Object.values(placesOf)) {
      const policy = (await get(place)).headers.get("content-security-policy") ?? "";
      expect(policy, place).to.contain("default-src 'none'; script-src 'self';");
      expect(policy, place).to.not.contain("unsafe");
    }
    for (let time = 0; time < 3; time += 1) {
      const answer = await get("/tickets");
      const text = await answer.text();
      const [, nonce = ""] =
        /style-src 'self' 'nonce-([\w-]{16,})'/u.exec(
          answer.headers.get("content-security-policy") ?? "",
        ) ?? [];
      expect(text).to.not.contain("__CSP_NONCE__");
      expect(text.split(`nonce="${nonce}"`)).to.have.length(3);
      nonces.add(nonce);
    }
    expect(nonces.size).to.equal(3);
  });

  it("are not cached, send no referrer, and cannot be framed", async () => {
    await addAll();
    for (const [page, [place = ""]] of Object.entries(placesOf)) {
      const { headers } = await get(place);
      expect(headers.get("cache-control"), place).to.equal("no-store");
      expect(headers.get("referrer-policy"), place).to.equal("no-referrer");
      expect(headers.get("x-content-type-options"), place).to.equal("nosniff");
      expect(headers.get("x-robots-tag"), place).to.equal("noindex");
      expect(headers.get("cross-origin-resource-policy"), place).to.equal("same-origin");
      if (!framed.has(page)) {
        expect(headers.get("content-security-policy"), place).to.contain("frame-ancestors 'none'");
        expect(headers.get("x-frame-options"), place).to.equal("DENY");
      }
    }
  });

  it("send HSTS for a year over HTTPS", async () => {
    await addAll();
    const seen = async (headers?: Record<string, string>) =>
      (await get("/tickets", "GET", headers)).headers.get("strict-transport-security");
    expect(await seen({ "x-forwarded-proto": "https" })).to.match(/^max-age=31536000/u);
    expect(await seen()).to.equal(null);
  });

  it("exclude the demo of the agent module by default", async () => {
    await addAll();
    const plain = await servePages(createPagesRouter({ ...ports, built: dist.built }));
    expect((await fetch(`${plain.url}/loader-demo`)).status).to.equal(404);
    await plain.close();
  });

  it("restrict framing of the agent's page of a call by CSP only", async () => {
    await addAll();
    const { headers } = await get("/agent/entrypoint/3/tickets/7");
    expect(headers.get("content-security-policy")).to.match(/frame-ancestors 'self'$/u);
    expect(headers.get("x-frame-options")).to.equal(null);
  });

  it("exchange the token of a sso_url for a cookie, and drop it from the address", async () => {
    await addAll();
    const at = (token: string, headers: Record<string, string> = {}) =>
      get(`/agent/entrypoint/3/tickets/7?access_token=${token}&tab=a`, "GET", headers);
    const answer = await at("valid");
    expect(answer.status).to.equal(303);
    expect(answer.headers.get("location")).to.equal("/agent/entrypoint/3/tickets/7?tab=a");
    expect(answer.headers.get("set-cookie")).to.equal("sid=7; HttpOnly");
    expect(answer.headers.get("referrer-policy")).to.equal("origin");
    expect(answer.headers.get("cache-control")).to.equal("no-store");
    const frame = { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" };
    expect((await at("valid", frame)).headers.get("set-cookie")).to.contain("Partitioned");
    const refused = await at("wrong");
    expect([refused.status, refused.headers.get("set-cookie")]).to.deep.equal([303, null]);
  });

  it("do not allow framing of any console page", async () => {
    await addAll();
    for (const place of placesOf["console"] ?? []) {
      const { headers } = await get(place);
      expect(headers.get("content-security-policy"), place).to.match(/frame-ancestors 'none'$/u);
      expect(headers.get("x-frame-options"), place).to.equal("DENY");
    }
  });

  it("allow the demo to be framed only by itself", async () => {
    await addAll();
    const { headers } = await get("/loader-demo");
    expect(headers.get("content-security-policy")).to.match(/frame-ancestors 'self'$/u);
  });

  it("answer HEAD without a body, and 405 to every other method", async () => {
    await addAll();
    for (const place of [
      "/tickets/7",
      "/quick-invitation",
      "/i/abc",
      "/",
      "/home.json",
      "/mailbox",
    ]) {
      const head = await get(place, "HEAD");
      expect([head.status, await head.text()], place).to.deep.equal([200, ""]);
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        const answer = await get(place, method);
        expect([answer.status, answer.headers.get("allow")], `${method} ${place}`).to.deep.equal([
          405,
          "GET, HEAD",
        ]);
      }
    }
  });

  it("report that they are not built yet", async () => {
    for (const place of ["/tickets", "/quick-invitation", "/i/abc", "/"]) {
      const answer = await get(place);
      expect(answer.status, place).to.equal(503);
      expect(await answer.json(), place).to.include({
        code: 2,
        detail: "The pages are not built. Run npm run build.",
      });
    }
    expect(server.log.map(({ event }) => event)).to.include("request.unavailable");
    await addAll();
    expect((await get("/tickets")).status).to.equal(200);
  });

  it("answer 404 elsewhere", async () => {
    await addAll();
    for (const place of [
      "/console",
      "/information",
      "/i",
      "/i/a/b",
      "/ticketsandmore",
      "/index.html",
    ]) {
      expect((await get(place)).status, place).to.equal(404);
    }
  });
});
