import { expect } from "chai";
import express, { type Request } from "express";
import { createHomeRouter, createLocalCheck } from "../../src/pages/home.ts";
import { createMailboxRouter } from "../../src/pages/mailbox.ts";
import { sendBuiltPage } from "../../src/pages/page.ts";
import { consolePaths, createPagesRouter } from "../../src/pages/routes.ts";
import { pages } from "../../web/build/pages.ts";
import { allowed, servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";

/** Pages that may be framed: by origins that the enterprise allows, and by themselves. */
const framed = new Set(["quick-invitation", "loader-demo"]);

/** The path of each page. The routes of the inbox serve its pages. */
const placesOf: Record<string, string[]> = {
  console: consolePaths.flatMap((place) => [`/${place}`, `/${place}/deeper/7?tab=x`]),
  "quick-invitation": ["/quick-invitation", "/quick-invitation?reference=1"],
  information: ["/i/LchoxMPI4X", "/i/whatever"],
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
  isInformationKnown: async (request: Request) => request.params["code"] !== "UNKNOWNxxx",
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
    fetch(`${server.url}${path}`, { method, headers });

  it("answer 404 with the page for an unknown information link", async () => {
    await addAll();
    const answer = await get("/i/UNKNOWNxxx");
    expect(answer.status).to.equal(404);
    expect(await answer.text()).to.contain("<title>information</title>");
  });

  it("are all served", async () => {
    await addAll();
    // The API reference is served below /api, with the API.
    const folders = pages.map(({ folder }) => folder).filter((folder) => folder !== "api-docs");
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

  it("forbid framing of the console on all paths, those of agent links too", async () => {
    await addAll();
    for (const place of [...(placesOf["console"] ?? []), "/agent/entrypoint/3/tickets/7"]) {
      const { headers } = await get(place);
      expect(headers.get("content-security-policy"), place).to.match(/frame-ancestors 'none'$/u);
      expect(headers.get("x-frame-options"), place).to.equal("DENY");
    }
  });

  it("let the demo be framed only by itself", async () => {
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
