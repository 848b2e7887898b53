import { expect } from "chai";
import type { FindFramePolicy } from "../../src/contracts/directory.ts";
import { createPagesRouter } from "../../src/pages/routes.ts";
import { logInto, type LogLine } from "../support/api.ts";
import { allowed, servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";

const known = "25zwbtmtjh40kjbw4utsq7x1o1mwfdpx";
const unknown = "99zwbtmtjh40kjbw4utsq7x1o1mwfdpx";

/** Decodes a query, and keeps invalid percent encoding unchanged. */
function decoded(text: string): string {
  return new URLSearchParams(`a=${text}`).get("a") ?? "";
}

describe("page of the invitation form", () => {
  const dist = useDistFolder();
  let server: PageServer;
  let log: LogLine[];
  let framed: Parameters<FindFramePolicy>[0][];
  let taken: string[];
  let isAllowed: boolean;
  let nowMs: number;
  beforeEach(async () => {
    await dist.add("aaaaaaaaaaaaaaaa", { "quick-invitation/index.html": "<p>form</p>" });
    [log, framed, taken, isAllowed, nowMs] = [[], [], [], true, 1_000];
    server = await servePages(
      createPagesRouter({
        isInformationKnown: async () => true,
        entryPoints: {
          limiter: { take: async () => allowed },
          findEntryPoint: async () => undefined,
        },
        openTicketSession: async () => [],
        mayHaveSession: () => true,
        built: dist.built,
        log: logInto(log),
        nowMs: () => nowMs,
        findFramePolicy: async (request) => {
          framed.push(request);
          const isService = request.serviceKey === known;
          const others = isService ? ["https://crm.example"] : [];
          return { frameAncestors: ["'self'", ...others], isService };
        },
        limiter: {
          take: async (key) => {
            taken.push(key);
            return { ...allowed, isAllowed };
          },
        },
      }),
    );
  });
  afterEach(() => server.close());
  const open = (query = "", headers: Record<string, string> = {}) =>
    fetch(`${server.url}/quick-invitation${query}`, { headers });

  it("may be framed by the origins that the enterprise allows, by CSP without X-Frame-Options", async () => {
    const { headers } = await open(`?service_key=${known}`, { cookie: "session=1" });
    expect(headers.get("content-security-policy")).to.contain(
      "frame-ancestors 'self' https://crm.example",
    );
    expect(headers.get("x-frame-options")).to.equal(null);
    expect(headers.get("cross-origin-resource-policy")).to.equal("cross-origin");
    expect(headers.get("permissions-policy")).to.equal(
      "camera=(self), microphone=(self), geolocation=(self), display-capture=(self)",
    );
    const { host } = new URL(server.url);
    expect(framed).to.deep.equal([{ host, serviceKey: known, cookieHeader: "session=1" }]);
    expect(log).to.deep.equal([]);
  });

  it("logs an unknown service, without its key", async () => {
    expect((await open(`?service_key=${unknown}&reference=x`)).status).to.equal(200);
    expect(log).to.deep.equal([
      {
        level: "warn",
        fields: { serviceKey: { begins: "99zw", length: 32 } },
        event: "quick_invitation.unknown_service",
      },
    ]);
    expect(JSON.stringify(log)).to.not.contain(unknown);
  });

  for (const [name, input] of [
    ["too short", "short"],
    ["signs", "'%20OR%201=1%20--%20aaaaaaaaaaaaaaaaaaa"],
    ["a NUL", "%00".repeat(32)],
    ["broken percents", "%zz%"],
    ["very long", "a".repeat(5_000)],
  ] as const) {
    it(`looks up no service for ${name}, and serves the page`, async () => {
      const answer = await open(`?service_key=${input}`);
      expect(answer.status).to.equal(200);
      expect(framed.map(({ serviceKey }) => serviceKey)).to.deep.equal([undefined]);
      const said = decoded(input);
      expect(log.map(({ fields }) => fields["serviceKey"])).to.deep.equal([
        { begins: said.slice(0, 4), length: said.length },
      ]);
    });
  }

  it("uses the first of several keys, and treats an empty one as absent", async () => {
    await open(`?service_key=${known}&service_key=${unknown}`);
    await open("?service_key=&reference=1");
    await open("?service_key[]=x&__proto__=1");
    expect(framed.map(({ serviceKey }) => serviceKey)).to.deep.equal([known, undefined, undefined]);
    expect(log).to.deep.equal([]);
  });

  it("looks up nothing above the rate limit, with Retry-After", async () => {
    isAllowed = false;
    const { status, headers } = await open(`?service_key=${unknown}`, { cookie: "session=1" });
    expect([status, headers.get("retry-after")]).to.deep.equal([429, "60"]);
    expect(taken).to.deep.equal(["127.0.0.1"]);
    expect(framed).to.deep.equal([]);
    expect(log).to.deep.equal([]);
  });

  it("logs an unknown key once a minute, and a bounded number of prefixes", async () => {
    await open(`?service_key=${unknown}`);
    await open(`?service_key=${unknown}`);
    expect(log).to.have.length(1);
    for (let n = 0; n < 120; n += 1) {
      await open(`?service_key=${n}-x`);
    }
    expect(log).to.have.length(100);
    nowMs += 60_000;
    await open(`?service_key=${unknown}`);
    expect(log).to.have.length(101);
  });
});
