import { expect } from "chai";
import { connect } from "node:net";
import { only, startApi, testCaller, type TestApi } from "../support/api.ts";
import { echoRoutes } from "../support/echo-routes.ts";
import { eventually } from "../support/eventually.ts";
import { sendRaw } from "../support/raw-request.ts";

type Json = Record<string, unknown>;

describe("API router", () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
  });
  after(() => api.close());

  type Init = Omit<RequestInit, "headers"> & { headers?: Record<string, string> };

  const call = (path: string, init: Init = {}): Promise<Response> =>
    fetch(`${api.url}${path}`, {
      ...init,
      headers: { authorization: "Bearer good", ...init.headers },
    });

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
        const response = await call(`${path}?limit=3`);
        expect(response.status).to.equal(200);
        expect(response.headers.get("content-type")).to.equal("application/json");
        expect(response.headers.get("x-extra")).to.equal("1");
        expect(await response.json()).to.deep.equal({
          ticketId: 12,
          limit: 3,
          reach: "all",
          url: `${path}?limit=3`,
          userId: 7,
        });
      });
    }

    it("passes on path and query of an absolute URL, never its host", async () => {
      const headers = { authorization: "Bearer good" };
      const path = "http://evil.example/api/tickets/12?limit=3";
      const answer = await sendRaw(api.url, { path, headers });
      const body = (await answer.setEncoding("utf8").toArray()).join("");
      expect(JSON.parse(body)).to.include({ url: "/api/tickets/12?limit=3", limit: 3 });
    });

    it("answers HEAD like GET, without the body", async () => {
      const response = await call("/api/tickets/12", { method: "HEAD" });
      expect(response.status).to.equal(200);
      expect(Number(response.headers.get("content-length"))).to.be.greaterThan(10);
      expect(await response.text()).to.equal("");
    });

    it("answers 404 to an unknown path", async () => {
      expect(await faultOf(await call("/api/nothing"))).to.include({ status: 404, code: 8 });
      expect(await faultOf(await call("/api"))).to.include({ status: 404, code: 8 });
      expect(await faultOf(await call("/api/v9/tickets/12"))).to.include({ status: 404 });
    });

    it("answers 405 to another method, with the allowed ones", async () => {
      for (const method of ["PUT", "OPTIONS", "DELETE"]) {
        const response = await call("/api/tickets/12", { method });
        expect(response.headers.get("allow")).to.equal("GET, HEAD");
        expect(await faultOf(response)).to.include({ status: 405, code: 15 });
      }
    });

    it("passes on other paths", async () => {
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
      it(`answers 406 to Accept: ${accept}`, async () => {
        const response = await call("/api/tickets/12", { headers: { accept } });
        expect(await faultOf(response)).to.include({ status: 406, code: 19 });
      });
    }

    it("ignores an empty X-CSRF-TOKEN", async () => {
      const response = await call("/api/tickets/12", { headers: { "x-csrf-token": "" } });
      expect(response.status).to.equal(200);
    });
  });

  describe("guards", () => {
    it("requires a token and says how to send it", async () => {
      const response = await fetch(`${api.url}/api/tickets/12`);
      expect(response.headers.get("www-authenticate")).to.equal('Bearer realm="api"');
      expect(await faultOf(response)).to.include({ status: 401, code: 3 });
    });

    it("rejects an invalid token", async () => {
      const response = await call("/api/tickets/12", { headers: { authorization: "Bearer bad" } });
      expect(response.headers.get("www-authenticate")).to.contain('error="invalid_token"');
      expect(await faultOf(response)).to.include({ status: 401, code: 4 });
    });

    it("checks token and role before it reads the body", async () => {
      const init = { method: "POST", body: "{", headers: { "content-type": "application/json" } };
      const response = await fetch(`${api.url}/api/echoes`, init);
      expect(response.status).to.equal(401);
      const viewer = await startApi({
        routes: echoRoutes,
        authenticate: only(testCaller({ role: "viewer" })),
      });
      const refused = await fetch(`${viewer.url}/api/echoes`, {
        ...init,
        headers: { ...init.headers, authorization: "Bearer good" },
      });
      expect(await faultOf(refused)).to.include({ status: 403, code: 6 });
      await viewer.close();
    });

    it("rejects platform accounts and enterprises without the solution with code 18", async () => {
      const callers = [
        only(testCaller({ accountType: "platform", role: "viewer" })),
        only(testCaller({ role: "viewer" }), false),
      ];
      for (const authenticate of callers) {
        const other = await startApi({ routes: echoRoutes, authenticate });
        const headers = { authorization: "Bearer good" };
        const response = await fetch(`${other.url}/api/echoes`, { method: "POST", headers });
        expect(await faultOf(response)).to.include({ status: 403, code: 18 });
        await other.close();
      }
    });

    it("allows everyone to use a public operation", async () => {
      const response = await fetch(`${api.url}/api/open?name=x`, { method: "POST" });
      expect(await response.json()).to.deep.equal({ name: "x", clientNetwork: "127.0.0.1" });
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
        title: "Conflict with the current state",
        status: 409,
        detail: "No.",
        instance: "urn:uuid:0b9a1c0e-6f1d-4c38-9a52-5a8c7d0a8f11",
        code: 11,
        message: "No.",
        details: "Transition done → invited",
        errors: [],
      });
    });

    it("with 500 without details for internal errors, and logs them with the request id", async () => {
      const response = await call("/api/faults/unknown");
      const text = await response.text();
      expect(response.status).to.equal(500);
      expect(text).to.not.contain("secret").and.not.contain("stack");
      const requestId = response.headers.get("x-request-id");
      const line = api.log.find(({ fields }) => fields["requestId"] === requestId);
      expect(line).to.include({ level: "error", event: "request.failed" });
      expect(JSON.stringify(line?.fields["err"])).to.contain("secret detail");
    });

    it("with 503 and Retry-After if the database does not answer", async () => {
      const response = await call("/api/faults/database");
      expect(Number(response.headers.get("retry-after"))).to.be.greaterThan(0);
      expect(await faultOf(response)).to.include({ status: 503, code: 2 });
    });

    it("with a new request id if the client's is not a UUID", async () => {
      const response = await call("/api/tickets/1", { headers: { "x-request-id": "x\ty" } });
      expect(response.headers.get("x-request-id")).to.match(/^[0-9a-f-]{36}$/u);
    });

    it("with headers against caching, framing and cross-site use", async () => {
      const { headers } = await call("/api/tickets/1", {
        headers: { origin: "https://evil.example" },
      });
      expect(headers.get("cache-control")).to.equal("no-store");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("content-security-policy")).to.contain("default-src 'none'");
      expect(headers.get("x-frame-options")).to.equal("DENY");
      expect(headers.has("access-control-allow-origin")).to.equal(false);
      expect(headers.has("strict-transport-security"), "by http").to.equal(false);
    });
  });

  describe("logs", () => {
    it("one line per call, with the path pattern, never its values", async () => {
      const response = await call("/api/tickets/4711?limit=8642");
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
      expect(JSON.stringify(lines)).to.not.match(/4711|8642|good/u);
    });

    it("calls whose client disconnected", async () => {
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
