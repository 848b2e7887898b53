import { expect } from "chai";
import { guestRoute, noContent, ok, publicRoute, route, type Guest } from "../../src/http/route.ts";
import { createRateLimiter } from "../../src/http/rate-limit.ts";
import { createRoomTokens } from "../../src/http/room-tokens.ts";
import {
  asGuest,
  memoryRateStores,
  startApi,
  testCaller,
  testGuest,
  type TestApi,
  type TestApiOptions,
} from "../support/api.ts";

const anything = { status: 200, schema: { type: "object" } } as const;
const texts = { type: "object", properties: { code: { type: "string" } } } as const;

const routes = [
  guestRoute<{ code: string }, { limit?: number }, { text: string }>({
    method: "POST",
    path: "/room/{code}/answers",
    operationId: "answer",
    summary: "x",
    roles: ["requestor", "participant"],
    limit: "room",
    params: texts,
    query: { type: "object", properties: { limit: { type: "integer" } } },
    body: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    answer: anything,
    handle: async ({ guest, params, query, body, url, header }) =>
      ok({ guest, params, query, body, url, agent: header("user-agent") }),
  }),
  publicRoute<unknown, { code: string }, { name?: string }>({
    method: "GET",
    path: "/links/{code}",
    operationId: "link",
    summary: "x",
    limit: "guest",
    params: texts,
    query: { type: "object", properties: { name: { type: "string" } } },
    answer: anything,
    handle: async ({ params, query, url, header, clientNetwork }) =>
      ok({
        params,
        query,
        url,
        clientNetwork,
        own: header("x-own"),
        none: header("x-none") ?? null,
      }),
  }),
  publicRoute({
    method: "POST",
    path: "/callbacks",
    operationId: "callback",
    summary: "x",
    limit: "callback",
    answer: { status: 204 },
    handle: async () => noContent,
  }),
  route({
    method: "PUT",
    path: "/chunks",
    operationId: "chunk",
    summary: "x",
    permission: "authenticated",
    family: "solution",
    limit: "api",
    transport: "bytes",
    accepts: ["video/webm", "application/octet-stream"],
    maxBodyBytes: 400_000,
    answer: anything,
    handle: async ({ bytes }) => ok({ size: bytes?.length, last: bytes?.at(-1) ?? null }),
  }),
  route({
    method: "POST",
    path: "/users",
    aliases: ["/createUser"],
    operationId: "create",
    summary: "x",
    permission: "authenticated",
    family: "solution",
    limit: "api",
    answer: { status: 204 },
    handle: async () => noContent,
  }),
];

function limiter(limit: number) {
  return createRateLimiter({ store: memoryRateStores("x", 60), limit, windowMs: 60_000 });
}

describe("operations of each kind", () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes });
  });
  after(() => api.close());

  const post = async (
    input: { url?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    fetch(`${input.url ?? api.url}/api/room/r1/answers?limit=3`, {
      method: "POST",
      body: input.body ?? '{"text":"hi"}',
      headers: { "content-type": "application/json", "user-agent": "test", ...input.headers },
    });
  const faultOf = async (response: Response) =>
    (await response.json()) as { status: number; code: number; details: string };

  it("identify a guest by the room token, and pass the input", async () => {
    const guest = testGuest({ name: "Zoë" });
    const response = await post({ headers: await asGuest(guest) });
    expect(response.status).to.equal(200);
    expect(await response.json()).to.deep.equal({
      guest,
      params: { code: "r1" },
      query: { limit: 3 },
      body: { text: "hi" },
      url: "/api/room/r1/answers?limit=3",
      agent: "test",
    });
  });

  it("reject guests without a token with code 3, with an invalid one with code 4", async () => {
    const none = await post();
    expect(await faultOf(none)).to.include({ status: 401, code: 3 });
    expect(none.headers.get("www-authenticate")).to.equal('Bearer realm="api"');
    for (const authorization of ["Bearer good", "Bearer a.b.c"]) {
      expect(await faultOf(await post({ headers: { authorization } }))).to.include({ code: 4 });
    }
    const foreign = createRoomTokens(Buffer.alloc(32, 9));
    const token = await foreign.issue(testGuest(), new Date(Date.now() + 60_000));
    const refused = await post({ headers: { authorization: `Bearer ${token}` } });
    expect(await faultOf(refused)).to.include({ status: 401, code: 4 });
  });

  it("reject a room role with code 6 before they read the body", async () => {
    const headers = await asGuest(testGuest({ role: "waiting" }));
    const refused = await faultOf(await post({ headers, body: "no JSON" }));
    expect(refused).to.include({ status: 403, code: 6, details: "Role waiting" });
  });

  it("reject a room token if an access token is required", async () => {
    const response = await fetch(`${api.url}/api/users`, {
      method: "POST",
      headers: await asGuest(),
    });
    expect(await faultOf(response)).to.include({ status: 401, code: 4 });
  });

  const withLimits = async (
    limits: NonNullable<TestApiOptions["limits"]>,
    act: (limited: TestApi) => Promise<void>,
  ) => {
    const limited = await startApi({ routes, limits });
    await act(limited);
    await limited.close();
  };

  it("limit each participant of a room separately", async () => {
    await withLimits({ room: limiter(1) }, async ({ url }) => {
      const callAs = async (guest: Guest) =>
        (await post({ url, headers: await asGuest(guest) })).status;
      expect(await callAs(testGuest())).to.equal(200);
      expect(await callAs(testGuest())).to.equal(429);
      expect(await callAs(testGuest({ participant: "p2" }))).to.equal(200);
      expect(await callAs(testGuest({ conversationId: 56 }))).to.equal(200);
    });
  });

  it("limit link lookups and callbacks by address, separately", async () => {
    await withLimits({ guest: limiter(1), callback: limiter(2) }, async ({ url }) => {
      const poll = async () => (await fetch(`${url}/api/links/a`)).status;
      const callBack = async () => (await fetch(`${url}/api/callbacks`, { method: "POST" })).status;
      expect([await poll(), await poll()]).to.deep.equal([200, 429]);
      expect([await callBack(), await callBack(), await callBack()]).to.deep.equal([204, 204, 429]);
    });
  });

  it("pass path, query, address and headers to public operations", async () => {
    const response = await fetch(`${api.url}/api/links/a%20b?name=x`, {
      headers: { "x-own": "1" },
    });
    expect(await response.json()).to.deep.equal({
      params: { code: "a b" },
      query: { name: "x" },
      url: "/api/links/a%20b?name=x",
      clientNetwork: "127.0.0.1",
      own: "1",
      none: null,
    });
  });

  const put = (body: NonNullable<RequestInit["body"]>, type: string) =>
    fetch(`${api.url}/api/chunks`, {
      method: "PUT",
      body,
      headers: { authorization: "Bearer good", "content-type": type },
    });

  it("accept raw bytes up to the limit of the operation", async () => {
    const bytes = Buffer.alloc(400_000, 255);
    const taken = await put(bytes, "Video/WebM; codecs=vp8");
    expect(await taken.json()).to.deep.equal({ size: 400_000, last: 255 });
    const refused = await put(Buffer.concat([bytes, bytes]), "video/webm");
    expect(await faultOf(refused)).to.include({ status: 413, code: 13 });
  });

  it("reject bytes of another type", async () => {
    expect(await faultOf(await put("{}", "application/json"))).to.include({
      status: 415,
      code: 14,
    });
  });

  it("answer at every declared path and alias", async () => {
    const headers = { authorization: "Bearer good" };
    for (const path of ["users", "user", "createUser", "v2/createUser"]) {
      const response = await fetch(`${api.url}/api/${path}`, { method: "POST", headers });
      expect(response.status, path).to.equal(204);
    }
    const other = await fetch(`${api.url}/api/createUser`, { headers });
    expect(other.status).to.equal(405);
    expect(other.headers.get("allow")).to.equal("POST");
  });

  describe("with a browser's cookie", () => {
    const cookie = "__Host-sid=good";
    let asked: string[];
    let browsers: TestApi;
    before(async () => {
      browsers = await startApi({
        routes,
        sessions: {
          find: async (id) => {
            asked.push(id);
            const caller = testCaller({ token: "", sessionId: 4 });
            return { caller, hasSolution: true, csrfToken: "t", isEmbedded: false };
          },
          isAlias: async () => false,
        },
      });
    });
    after(() => browsers.close());
    beforeEach(() => {
      asked = [];
    });
    const page = { cookie, "sec-fetch-site": "same-origin", "x-csrf-token": "t" };
    const create = async (headers: Record<string, string>, url = browsers.url) =>
      (await fetch(`${url}/api/users`, { method: "POST", headers })).status;

    it("run as its user, and are rejected cross-site", async () => {
      expect(await create(page)).to.equal(204);
      expect(await create({ ...page, "x-csrf-token": "x" })).to.equal(403);
      expect(await create({ ...page, cookie: "sid=good" })).to.equal(401);
      expect(asked).to.deep.equal(["good", "good"]);
    });

    it("prefer a token and then ignore the cookie", async () => {
      const byToken = { cookie, authorization: "Bearer good" };
      expect(await create(byToken)).to.equal(204);
      expect(await create({ ...page, authorization: "Bearer bad" })).to.equal(401);
      expect(asked).to.deep.equal([]);
    });

    it("ignore it on guest operations", async () => {
      const response = await post({ url: browsers.url, headers: page });
      expect(response.status).to.equal(401);
      expect(await faultOf(response)).to.include({ code: 3 });
      expect(asked).to.deep.equal([]);
    });

    it("ignore it if there are no sessions", async () => {
      expect(await create(page, api.url)).to.equal(401);
    });
  });
});
