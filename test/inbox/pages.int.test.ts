import { expect } from "chai";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { useDatabase } from "../support/database.ts";
import {
  anInbox,
  startInboxServer,
  type InboxServer,
  type MadeInbox,
} from "../support/inbox-server.ts";

describe("pages of home and inbox", () => {
  const database = useDatabase();
  let server: InboxServer;
  let made: MadeInbox;
  before(async () => {
    server = await startInboxServer(database.db);
    made = await anInbox(database.db, server);
  });
  after(async () => {
    await server.close();
  });

  it("serves a page that runs no inline script, loads nothing from elsewhere and tells no referrer", async () => {
    const page = await fetch(made.url);
    const html = await page.text();
    expect(page.status).to.equal(200);
    expect(page.headers.get("cache-control")).to.equal("no-store");
    expect(page.headers.get("referrer-policy")).to.equal("no-referrer");
    expect(page.headers.get("content-security-policy")).to.contain("default-src 'none'");
    expect(page.headers.get("content-security-policy")).to.not.contain("unsafe");
    expect(html).to.not.match(/<script(?![^>]*\ssrc=)|\son[a-z]+=|style="|https?:\/\//);
    expect(html).to.not.contain(made.key);
  });

  it("serves everything that its pages load", async () => {
    const loaded = /(?:src=|href=|from )"([./][^"]*\.(?:js|css|svg))"/g;
    const wanted = new Set<string>();
    const visit = async (path: string): Promise<void> => {
      const response = await fetch(server.base + path);
      expect(response.status, path).to.equal(200);
      for (const [, found = ""] of (await response.text()).matchAll(loaded)) {
        const { pathname } = new URL(found, server.base + path);
        if (!wanted.has(pathname)) {
          wanted.add(pathname);
          await visit(pathname);
        }
      }
    };
    await visit("/");
    await visit(`/inbox/${made.key}`);
    expect([...wanted]).to.include.members([
      "/assets/look/base.css",
      "/assets/look/dom.js",
      "/assets/look/examples.js",
      "/assets/home/home.js",
      "/assets/inbox/inbox.js",
      "/assets/inbox/format.js",
    ]);
  });

  it("tells the examples their real address and logins, and the inbox to this machine only", async () => {
    const listed = (await (await fetch(`${made.url}/requests`)).json()) as { examples: object };
    expect(listed.examples).to.deep.equal({
      baseUrl: "https://demo.example",
      login: "admin@demo.example",
      agent: "agent@demo.example",
    });
    const ask = async (headers: Record<string, string>): Promise<unknown> =>
      (
        (await (await fetch(`${server.base}/assets/home.json`, { headers })).json()) as {
          inboxUrl: unknown;
        }
      ).inboxUrl;
    expect(await ask({})).to.equal("https://demo.example/inbox/secret");
    expect(await ask({ "x-forwarded-for": "203.0.113.9" })).to.equal(null);
    expect(await ask({ forwarded: "for=203.0.113.9" })).to.equal(null);
  });

  it("does not tell the inbox to a foreign page whose name was made to mean this machine", async () => {
    const headers = { host: "attacker.example" };
    const asked = request(`${server.base}/assets/home.json`, { headers }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const text = (await response.toArray()).join("");
    expect(JSON.parse(text)).to.deep.include({ inboxUrl: null });
  });
});
