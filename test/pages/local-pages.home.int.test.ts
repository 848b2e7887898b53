import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { expect } from "chai";
import { createHomeRouter, createLocalCheck } from "../../src/pages/local-pages.ts";
import { servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";

const inboxUrl = "https://demo.example/inbox/secret";

describe("the home page", () => {
  const dist = useDistFolder();
  const serve = (isLocalPlatform: boolean): Promise<PageServer> =>
    servePages(
      createHomeRouter({
        ...{
          built: dist.built,
          baseUrl: "https://demo.example",
          inboxUrl,
          hasMailbox: true,
          hasLoaderDemo: true,
          isLocal: createLocalCheck(isLocalPlatform),
        },
        examples: { login: "admin@demo.example", agent: "agent@demo.example" },
      }),
    );
  let server: PageServer;
  beforeEach(async () => {
    server = await serve(true);
  });
  afterEach(() => server.close());

  const ask = async (headers: Record<string, string> = {}): Promise<Record<string, unknown>> => {
    const asked = request(`${server.url}/home.json`, { headers }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    expect(response.headers["cache-control"]).to.equal("no-store");
    expect(response.headers["content-security-policy"]).to.contain("default-src 'none'");
    return JSON.parse((await response.toArray()).join("")) as Record<string, unknown>;
  };

  it("shows local requests the inbox, the mailbox, and commands with the real address and logins", async () => {
    expect(await ask()).to.deep.equal({
      inboxUrl,
      hasMailbox: true,
      hasLoaderDemo: true,
      examples: {
        baseUrl: "https://demo.example",
        login: "admin@demo.example",
        agent: "agent@demo.example",
      },
    });
  });

  for (const [name, value] of [
    ["x-forwarded-for", "203.0.113.9"],
    ["forwarded", "for=203.0.113.9"],
    ["via", "1.1 proxy"],
    ["x-real-ip", "203.0.113.9"],
    ["x-forwarded-host", "demo.example"],
    ["x-forwarded-proto", "https"],
  ] as const) {
    it(`shows no inbox through a proxy: ${name}`, async () => {
      expect(await ask({ [name]: value })).to.include({ inboxUrl: null, hasMailbox: false });
    });
  }

  it("shows nothing if the public address is not local: a proxy may add no headers", async () => {
    await server.close();
    server = await serve(false);
    expect(await ask()).to.deep.include({
      inboxUrl: null,
      hasMailbox: false,
      examples: { baseUrl: "https://demo.example", login: "<login>", agent: "<login>" },
    });
  });

  it("shows no inbox to a foreign host name (DNS rebinding)", async () => {
    expect(await ask({ host: "attacker.example" })).to.include({ inboxUrl: null });
  });
});
