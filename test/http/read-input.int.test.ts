import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import express from "express";
import fc from "fast-check";
import { Problem } from "../../src/contracts/problems.ts";
import { readInput } from "../../src/http/read-input.ts";
import { noContent, publicRoute } from "../../src/http/route.ts";
import { startApi, type TestApi } from "../support/api.ts";
import { echoRoutes } from "../support/echo-routes.ts";
import { eventually } from "../support/eventually.ts";

type Json = Record<string, unknown>;

describe("API input", () => {
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

  it("answers 415 to a body of another type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
      const response = await post("/api/echoes", "name=x", type);
      expect(await faultOf(response)).to.include({ status: 415, code: 14 });
    }
  });

  it("answers 415 to a compressed body", async () => {
    const response = await call("/api/echoes", {
      method: "POST",
      body: "x",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    });
    expect(await faultOf(response)).to.include({ status: 415, code: 14 });
  });

  it("as a JSON body", async () => {
    const response = await post("/api/echoes", '{"name":"Zoë"}', "application/JSON; charset=UTF-8");
    expect(response.status).to.equal(201);
    expect(response.headers.get("location")).to.equal("/api/echoes/1");
    expect(await response.json()).to.deep.equal({ name: "Zoë" });
  });

  it("as query, form or JSON with transport any; the body takes precedence", async () => {
    const all = [
      await call("/api/free?name=x&count=3", { method: "POST" }),
      await post("/api/free", "name=x&count=3", "application/x-www-form-urlencoded"),
      await post("/api/free", '{"name":"x","count":3}'),
      await post("/api/free?name=y&count=3", '{"name":"x"}'),
    ];
    for (const response of all) {
      expect(await response.json()).to.deep.equal({ name: "x", count: 3 });
    }
  });

  it("treats an empty body with a content type as no body", async () => {
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
    it(`rejects ${name} with ${status}, code ${code}`, async () => {
      const fault = await faultOf(await post("/api/echoes", body, type));
      expect(fault).to.include({ status, code });
      const [first] = fault["errors"] as Json[];
      expect(first?.["field"]).to.equal(field);
    });
  }

  it("accepts a body of exactly 256 KB", async () => {
    const body = JSON.stringify({ name: "" });
    const name = "x".repeat(256 * 1024 - body.length);
    const response = await post("/api/echoes", JSON.stringify({ name }));
    expect(response.status).to.equal(201);
    expect(await response.json()).to.deep.equal({ name });
    const more = await post("/api/echoes", JSON.stringify({ name: `${name}x` }));
    expect(await faultOf(more)).to.include({ status: 413, code: 13 });
  });

  it("rejects tens of thousands of fields, with and without a token", async () => {
    const names = Array.from({ length: 28_000 }, (_, index) => index.toString(36));
    const form = "application/x-www-form-urlencoded";
    const bodies = [
      [names.map((name) => `${name}=`).join("&"), form],
      ["a&".repeat(130_000), form],
      [`{${names.map((name) => `"${name}":0`).join()}}`, "application/json"],
    ] as const;
    for (const [body, type] of bodies) {
      for (const path of ["/api/open", "/api/free"]) {
        const fault = await faultOf(await post(path, body, type));
        expect(fault["errors"]).to.deep.equal([{ field: "body", reason: "length" }]);
      }
    }
  });

  it("rejects a chunked body above the limit", async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    const chunks = Array.from({ length: 6 }, () => chunk);
    const response = await call("/api/echoes", {
      method: "POST",
      body: ReadableStream.from(chunks),
      headers: { "content-type": "application/json" },
      duplex: "half",
    });
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
    it(`rejects the id ${id} with ${status}`, async () => {
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

  it("disconnects clients that send a small raw body too slowly", async () => {
    const shape = { method: "POST", summary: "x", transport: "bytes", limit: "callback" } as const;
    const small = await startApi({
      bodyTimeMs: 40,
      routes: [
        publicRoute({
          ...shape,
          ...{ path: "/small", operationId: "small", accepts: ["text/plain"], maxBodyBytes: 1_024 },
          answer: { status: 204 },
          handle: async () => noContent,
        }),
      ],
    });
    const sent = request(`${small.url}/api/small`, {
      method: "POST",
      headers: { "content-type": "text/plain", "content-length": "1000" },
    });
    let isAborted = false;
    sent.on("error", () => {
      isAborted = true;
    });
    await eventually(() => {
      sent.write("x");
      return isAborted;
    });
    await small.close();
  });

  it("counts a client that disconnects before its body is read as a client error", async () => {
    const route = { method: "POST", transport: "json" } as const;
    let thrown: unknown;
    const app = express().post("/", async (taken, response) => {
      taken.socket.destroy();
      thrown = await readInput({ request: taken, response, cleanups: [] }, route, {}).catch(
        (error: unknown) => error,
      );
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const headers = { "content-type": "application/json" };
    await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: "{}" }).catch(
      () => undefined,
    );
    await eventually(() => thrown !== undefined);
    server.close();
    expect(thrown).to.be.instanceOf(Problem);
    expect((thrown as Problem).errors).to.deep.equal([{ field: "body", reason: "length" }]);
  });
});
