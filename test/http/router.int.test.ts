import { expect } from "chai";
import fc from "fast-check";
import { connect } from "node:net";
import { problem } from "../../src/contracts/problems.ts";
import { createRateLimiter } from "../../src/http/rate-limit.ts";
import { created, noContent, ok, publicRoute, route } from "../../src/http/route.ts";
import { memoryRateStores, only, startApi, testCaller, type TestApi } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";

const common = { summary: "x", family: "solution", limit: "api" } as const;

const echoSchema = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, count: { type: "integer" } },
  additionalProperties: false,
} as const;

const faults: Record<string, () => unknown> = {
  unknown: () => new TypeError("secret detail in a stack"),
  database: () => Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
  conflict: () => problem("conflict", "No.", { details: "Transition done → invited" }),
};

const routes = [
  route<{ ticketId: number }, { limit?: number }>({
    ...common,
    method: "GET",
    path: "/tickets/{ticketId}",
    operationId: "get",
    permission: "tickets.read",
    params: {
      type: "object",
      required: ["ticketId"],
      properties: { ticketId: { type: "integer" } },
    },
    query: { type: "object", properties: { limit: { type: "integer" } } },
    handle: async ({ params, query, reach, url, caller }) =>
      ok({ ...params, ...query, reach, url, userId: caller.userId }, { "X-Extra": "1" }),
  }),
  route<unknown, unknown, { name: string }>({
    ...common,
    method: "POST",
    path: "/echoes",
    operationId: "echo",
    permission: "tickets.write",
    body: echoSchema,
    handle: async ({ body }) => created(body, "/api/echoes/1"),
  }),
  route<unknown, unknown, { name: string }>({
    ...common,
    method: "POST",
    path: "/free",
    operationId: "free",
    permission: "tickets.write",
    transport: "any",
    body: echoSchema,
    handle: async ({ body }) => ok(body),
  }),
  route({
    ...common,
    method: "DELETE",
    path: "/echoes",
    operationId: "delete",
    permission: "users.write",
    limit: "events",
    handle: async () => noContent,
  }),
  route<{ name: string }>({
    ...common,
    method: "GET",
    path: "/faults/{name}",
    operationId: "fault",
    permission: "authenticated",
    handle: async ({ params }) => {
      throw faults[params.name]?.();
    },
  }),
  publicRoute<{ name: string }>({
    method: "POST",
    path: "/open",
    operationId: "open",
    summary: "x",
    transport: "any",
    body: echoSchema,
    handle: async ({ body, clientNetwork }) => ok({ ...body, clientNetwork }),
  }),
];

type Json = Record<string, unknown>;

describe("API router", () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes });
  });
  after(() => api.close());

  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${api.url}${path}`, {
      ...init,
      headers: { authorization: "Bearer good", ...init.headers },
    });

  const post = (
    path: string,
    body: NonNullable<RequestInit["body"]>,
    type = "application/json",
  ): Promise<Response> => call(path, { method: "POST", body, headers: { "content-type": type } });

  const faultOf = async (response: Response): Promise<Json> => {
    expect(response.headers.get("content-type")).to.equal("application/problem+json");
    const body = (await response.json()) as Json;
    expect(body["status"]).to.equal(response.status);
    return body;
  };

  describe("finds operations", () => {
    for (const path of [
      "/api/tickets/12",
      "/api/v2/tickets/12",
      "/api/v3/tickets/12",
      "/api/ticket/12",
      "/api/v3/ticket/12/",
    ]) {
      it(`at ${path}`, async () => {
        const response = await call(`${path}?limit=3&utm=x`);
        expect(response.status).to.equal(200);
        expect(response.headers.get("content-type")).to.equal("application/json");
        expect(response.headers.get("x-extra")).to.equal("1");
        expect(await response.json()).to.deep.equal({
          ticketId: 12,
          limit: 3,
          reach: "all",
          url: `${path}?limit=3&utm=x`,
          userId: 7,
        });
      });
    }

    it("answers HEAD like GET, without the body", async () => {
      const response = await call("/api/tickets/12", { method: "HEAD" });
      expect(response.status).to.equal(200);
      expect(Number(response.headers.get("content-length"))).to.be.greaterThan(10);
      expect(await response.text()).to.equal("");
    });

    it("says 404 to an unknown path", async () => {
      expect(await faultOf(await call("/api/nothing"))).to.include({ status: 404, code: 8 });
      expect(await faultOf(await call("/api"))).to.include({ status: 404, code: 8 });
      expect(await faultOf(await call("/api/v9/tickets/12"))).to.include({ status: 404 });
    });

    it("says 405 to another method, with those that it has", async () => {
      for (const method of ["PUT", "OPTIONS", "DELETE"]) {
        const response = await call("/api/tickets/12", { method });
        expect(response.headers.get("allow")).to.equal("GET, HEAD");
        expect(await faultOf(response)).to.include({ status: 405, code: 15 });
      }
    });

    it("leaves other paths to the rest of the application", async () => {
      const response = await fetch(`${api.url}/elsewhere`);
      expect(response.status).to.equal(404);
      expect(response.headers.get("content-type")).to.not.contain("problem");
    });
  });

  describe("negotiates", () => {
    for (const accept of ["application/JSON", "*/*", "application/*", "text/html, */*;q=0.1"]) {
      it(`answers Accept: ${accept}`, async () => {
        expect((await call("/api/tickets/12", { headers: { accept } })).status).to.equal(200);
      });
    }

    for (const accept of ["text/html", "application/xml", "application/json;q=0"]) {
      it(`says 406 to Accept: ${accept}`, async () => {
        const response = await call("/api/tickets/12", { headers: { accept } });
        expect(await faultOf(response)).to.include({ status: 406, code: 19 });
      });
    }

    it("says 415 to a body of another type", async () => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
        const response = await post("/api/echoes", "name=x", type);
        expect(await faultOf(response)).to.include({ status: 415, code: 14 });
      }
    });

    it("says 415 to a compressed body", async () => {
      const response = await call("/api/echoes", {
        method: "POST",
        body: "x",
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
      });
      expect(await faultOf(response)).to.include({ status: 415, code: 14 });
    });

    it("ignores an empty X-CSRF-TOKEN", async () => {
      const response = await call("/api/tickets/12", { headers: { "x-csrf-token": "" } });
      expect(response.status).to.equal(200);
    });
  });

  describe("takes input", () => {
    it("as a JSON body", async () => {
      const response = await post(
        "/api/echoes",
        '{"name":"Zoë"}',
        "application/JSON; charset=UTF-8",
      );
      expect(response.status).to.equal(201);
      expect(response.headers.get("location")).to.equal("/api/echoes/1");
      expect(await response.json()).to.deep.equal({ name: "Zoë" });
    });

    it("as query, form or JSON where the transport is free, and the body wins", async () => {
      const all = [
        await call("/api/free?name=x&count=3", { method: "POST" }),
        await post("/api/free", "name=x&count=3", "application/x-www-form-urlencoded"),
        await post("/api/free", '{"name":"x","count":3}'),
        await post("/api/free?name=y&count=3&utm=1", '{"name":"x"}'),
      ];
      for (const response of all) {
        expect(await response.json()).to.deep.equal({ name: "x", count: 3 });
      }
    });

    it("takes an announced type with an empty body as no body", async () => {
      const response = await call("/api/free?name=x", {
        method: "POST",
        headers: { "content-type": "application/json" },
      });
      expect(response.status).to.equal(200);
    });

    const large = "x".repeat(256 * 1024);
    for (const [name, body, type, status, code, field] of [
      ["malformed JSON", "{", "application/json", 400, 10, "body"],
      ["an array", "[]", "application/json", 400, 10, "body"],
      ["a missing field", "{}", "application/json", 400, 9, "name"],
      ["an unknown field", '{"name":"x","foo":1}', "application/json", 400, 10, "foo"],
      ["a wrong type", '{"name":1}', "application/json", 400, 10, "name"],
      ["U+0000", '{"name":"\\u0000"}', "application/json", 400, 10, "name"],
      ["__proto__", '{"__proto__":{"name":"x"}}', "application/json", 400, 10, "__proto__"],
      [
        "deep nesting",
        `{"name":${"[".repeat(99)}${"]".repeat(99)}}`,
        "application/json",
        400,
        10,
        "body",
      ],
      ["more than 256 KB", JSON.stringify({ name: large }), "application/json", 413, 13, undefined],
    ] as const) {
      it(`refuses ${name} with ${status}, code ${code}`, async () => {
        const fault = await faultOf(await post("/api/echoes", body, type));
        expect(fault).to.include({ status, code });
        const [first] = fault["errors"] as Json[];
        expect(first?.["field"]).to.equal(field);
      });
    }

    it("takes a body of exactly 256 KB", async () => {
      const body = JSON.stringify({ name: "" });
      const name = "x".repeat(256 * 1024 - body.length);
      expect((await post("/api/echoes", JSON.stringify({ name }))).status).to.equal(201);
      const more = await post("/api/echoes", JSON.stringify({ name: `${name}x` }));
      expect(await faultOf(more)).to.include({ status: 413, code: 13 });
    });

    it("refuses a chunked body above the limit", async () => {
      const chunk = new Uint8Array(64 * 1024).fill(0x20);
      const chunks = Array.from({ length: 6 }, () => chunk);
      const response = await call("/api/echoes", {
        method: "POST",
        body: ReadableStream.from(chunks) as never,
        headers: { "content-type": "application/json" },
        duplex: "half",
      } as RequestInit);
      expect(await faultOf(response)).to.include({ status: 413, code: 13 });
    });

    for (const [id, status] of [
      ["abc", 400],
      ["1.5", 400],
      ["0x10", 400],
      ["%00", 400],
      ["%zz", 400],
      ["%ff", 400],
      ["99999999999999999999", 404],
      ["9007199254740993", 404],
    ] as const) {
      it(`refuses the id ${id} with ${status}`, async () => {
        const fault = await faultOf(await call(`/api/tickets/${id}`));
        expect(fault["status"]).to.equal(status);
        if (status === 400) {
          expect((fault["errors"] as Json[])[0]?.["field"]).to.equal("ticketId");
        }
      });
    }

    it("answers any bytes with 201 or 4xx, never with 500", async () => {
      const body = fc.oneof(
        fc.json(),
        fc.json().map((text) => `{"name":"x","count":${text}}`),
        fc.string({ unit: "binary" }),
        fc.uint8Array({ maxLength: 64 }),
      );
      const type = fc.constantFrom("application/json", "application/x-www-form-urlencoded", "a/b");
      const query = fc
        .string({ unit: "binary", maxLength: 20 })
        .map((text) => text.replaceAll("#", "%"));
      await fc.assert(
        fc.asyncProperty(body, type, query, async (bytes, contentType, text) => {
          const suffix = encodeURI(text);
          const response = await post(`/api/free?${suffix}`, bytes, contentType);
          await response.text();
          expect(response.status).to.be.oneOf([200, 400, 415]);
        }),
        { numRuns: 150 },
      );
    });
  });

  describe("guards", () => {
    it("asks for a token, and says how", async () => {
      const response = await fetch(`${api.url}/api/tickets/12`);
      expect(response.headers.get("www-authenticate")).to.equal('Bearer realm="api"');
      expect(await faultOf(response)).to.include({ status: 401, code: 3 });
    });

    it("refuses a bad token", async () => {
      const response = await call("/api/tickets/12", { headers: { authorization: "Bearer bad" } });
      expect(response.headers.get("www-authenticate")).to.contain('error="invalid_token"');
      expect(await faultOf(response)).to.include({ status: 401, code: 4 });
    });

    it("looks at the token before the body, and at the role before the body", async () => {
      const init = { method: "POST", body: "{", headers: { "content-type": "application/json" } };
      const response = await fetch(`${api.url}/api/echoes`, init);
      expect(response.status).to.equal(401);
      const viewer = await startApi({ routes, authenticate: only(testCaller({ role: "viewer" })) });
      const refused = await fetch(`${viewer.url}/api/echoes`, {
        ...init,
        headers: { ...init.headers, authorization: "Bearer good" },
      });
      expect(await faultOf(refused)).to.include({ status: 403, code: 6 });
      await viewer.close();
    });

    it("refuses platform accounts, and enterprises without the solution, with code 18", async () => {
      const callers = [
        only(testCaller({ accountType: "platform", role: "viewer" })),
        only(testCaller({ role: "viewer" }), false),
      ];
      for (const authenticate of callers) {
        const other = await startApi({ routes, authenticate });
        const headers = { authorization: "Bearer good" };
        const response = await fetch(`${other.url}/api/echoes`, { method: "POST", headers });
        expect(await faultOf(response)).to.include({ status: 403, code: 18 });
        await other.close();
      }
    });

    it("lets anybody use a public operation", async () => {
      const response = await fetch(`${api.url}/api/open?name=x`, { method: "POST" });
      expect(await response.json()).to.deep.equal({ name: "x", clientNetwork: "127.0.0.1" });
    });

    it("limits the calls of a user, each kind by its own limit", async () => {
      const limiter = (name: string, limit: number) =>
        createRateLimiter({ store: memoryRateStores(name, 60), limit, windowMs: 60_000 });
      const limits = { api: limiter("api", 2), events: limiter("events", 1) };
      const limited = await startApi({ routes, limits });
      const headers = { authorization: "Bearer good" };
      const get = () => fetch(`${limited.url}/api/tickets/12`, { headers });
      const first = await get();
      expect(first.headers.get("x-ratelimit-limit")).to.equal("2");
      expect(first.headers.get("x-ratelimit-remaining")).to.equal("1");
      expect(first.headers.get("x-ratelimit-reset")).to.equal("60");
      await get();
      const refused = await get();
      expect(refused.headers.get("retry-after")).to.equal("60");
      expect(refused.headers.get("x-ratelimit-remaining")).to.equal("0");
      expect(await faultOf(refused)).to.include({
        status: 429,
        code: 12,
        error: "too_many_requests",
      });
      const event = await fetch(`${limited.url}/api/echoes`, { method: "DELETE", headers });
      expect(event.status).to.equal(204);
      await limited.close();
    });
  });

  describe("answers faults", () => {
    it("with the problem that was thrown", async () => {
      const response = await call("/api/faults/conflict", {
        headers: { "x-request-id": "0B9A1C0E-6F1D-4C38-9A52-5A8C7D0A8F11" },
      });
      expect(response.headers.get("x-request-id")).to.equal("0b9a1c0e-6f1d-4c38-9a52-5a8c7d0a8f11");
      expect(await faultOf(response)).to.deep.equal({
        type: "https://sightline.example/problems/conflict",
        title: "State does not allow it",
        status: 409,
        detail: "No.",
        instance: "urn:uuid:0b9a1c0e-6f1d-4c38-9a52-5a8c7d0a8f11",
        code: 11,
        message: "No.",
        details: "Transition done → invited",
        errors: [],
      });
    });

    it("with 500 and nothing else where the fault is ours, and logs it with the request's id", async () => {
      const response = await call("/api/faults/unknown");
      const text = await response.text();
      expect(response.status).to.equal(500);
      expect(text).to.not.contain("secret").and.not.contain("stack");
      const requestId = response.headers.get("x-request-id");
      const line = api.log.find(({ fields }) => fields["requestId"] === requestId);
      expect(line).to.include({ level: "error", event: "request.failed" });
      expect(JSON.stringify(line?.fields["err"])).to.contain("secret detail");
    });

    it("with 503 and Retry-After where the database does not answer", async () => {
      const response = await call("/api/faults/database");
      expect(Number(response.headers.get("retry-after"))).to.be.greaterThan(0);
      expect(await faultOf(response)).to.include({ status: 503, code: 2 });
    });

    it("with an id of its own where the client's is no UUID", async () => {
      const response = await call("/api/tickets/1", { headers: { "x-request-id": "x\ty" } });
      expect(response.headers.get("x-request-id")).to.match(/^[0-9a-f-]{36}$/u);
    });

    it("with headers that keep answers out of caches, frames and other sites", async () => {
      const { headers } = await call("/api/tickets/1", {
        headers: { origin: "https://evil.example" },
      });
      expect(headers.get("cache-control")).to.equal("no-store");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("content-security-policy")).to.contain("default-src 'none'");
      expect(headers.get("x-frame-options")).to.equal("DENY");
      expect(headers.has("access-control-allow-origin")).to.equal(false);
      expect(headers.has("x-powered-by")).to.equal(false);
    });
  });

  describe("logs", () => {
    it("one line per call, with the pattern of the path and never what it was called with", async () => {
      const response = await call("/api/tickets/4711?limit=99&secret=hush");
      const requestId = response.headers.get("x-request-id");
      const lines = await eventually(() => {
        const found = api.log.filter(({ fields }) => fields["requestId"] === requestId);
        expect(found).to.not.have.length(0);
        return found;
      });
      expect(lines).to.have.length(1);
      expect(lines[0]?.event).to.equal("request.answered");
      expect(lines[0]?.fields).to.include({
        method: "GET",
        route: "/tickets/{ticketId}",
        status: 200,
        userId: 7,
        enterpriseId: 3,
      });
      expect(JSON.stringify(lines)).to.not.match(/4711|hush|good/u);
    });

    it("the end of a call whose client went away", async () => {
      const { hostname, port } = new URL(api.url);
      const socket = connect(Number(port), hostname);
      socket.write(
        "POST /api/echoes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" +
          "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
      );
      socket.once("connect", () => setImmediate(() => socket.resetAndDestroy()));
      await eventually(() => api.log.some(({ fields }) => fields["isAborted"] === true));
    });
  });
});
