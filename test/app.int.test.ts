import { expect } from "chai";
import express from "express";
import { buildApp } from "../src/app.ts";
import { createHttpServer, type HttpServer } from "../src/http/http-server.ts";
import { createInboxRouter } from "../src/inbox/routes.ts";
import {
  logInto,
  noIdempotency,
  only,
  testBaseUrl,
  testCaller,
  unlimitedCalls,
  type LogLine,
} from "./support/api.ts";
import { checkAnswer } from "./support/described.ts";
import { eventually } from "./support/eventually.ts";
import { echoRoutes } from "./support/echo-routes.ts";
import { expectFieldFault, expectProblem } from "./support/problem-shape.ts";
import type { ApiAnswer } from "./support/whole-api.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("application", () => {
  let server: HttpServer;
  let url: string;
  const log: LogLine[] = [];
  const observed: { route: string; status: number }[] = [];

  before(async () => {
    const nothing = {} as never;
    const inbox = createInboxRouter({
      db: nothing,
      log: logInto(log),
      webhooks: { findInboxSecrets: async () => [] },
      baseUrl: testBaseUrl,
      examplesFor: () => ({ login: "admin", agent: "agent" }),
      showPage: async () => undefined,
    });
    const app = buildApp({
      routes: echoRoutes,
      authenticate: only(testCaller()),
      verifyRoomToken: async () => undefined,
      checkAnswer,
      limits: unlimitedCalls,
      idempotency: noIdempotency,
      baseUrl: testBaseUrl,
      log: logInto(log),
      health: {
        checks: [],
        log: logInto(log),
        render: async () => ({ contentType: "text/plain", text: "up 1\n" }),
      },
      trustProxy: true,
      observePage: (page) => void observed.push(page),
      isLocal: (request) => request.hostname === "127.0.0.1",
      inbox,
      mailbox: express.Router(),
      attachments: express.Router(),
      shortLinks: express.Router(),
      apiDocs: express.Router(),
      customerLinks: express.Router().get("/v/:secret", () => {
        throw new Error("no answer");
      }),
      meetingPage: express.Router(),
      expertPage: express.Router(),
      pages: express.Router(),
      home: express
        .Router()
        .get("/", (_request, response) => void response.send("home"))
        .get("/broken", () => {
          throw new TypeError("secret detail in a stack");
        }),
    });
    server = createHttpServer(app);
    url = `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`;
  });
  after(() => server.close(1_000));

  const call = async (operation: string, accept = "*/*"): Promise<ApiAnswer> => {
    const [method = "", path = ""] = operation.split(" ");
    const response = await fetch(`${url}${path}`, { method, headers: { accept } });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const body: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, body };
  };

  for (const path of [
    "/nothing",
    "/%ff",
    "/livez/x",
    "/assets/look/%ff",
    "/inbox",
    "/problems",
    "/problems/x",
  ]) {
    it(`answers the unknown path ${path} with a problem`, async () => {
      const answer = await call(`GET ${path}`);
      expectProblem(answer, "not_found");
      expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
      expect(answer.headers.get("cache-control")).to.equal("no-store");
      expect(answer.headers.has("x-powered-by")).to.equal(false);
    });
  }

  it("answers a path that cannot be decoded with a 400 without a stack trace", async () => {
    expect(expectFieldFault(await call("GET /problems/%ff"))).to.deep.equal(["path"]);
    const answer = await call("GET /problems/%ff", browser);
    expect(answer.status).to.equal(400);
    expect(answer.text)
      .to.contain("percent-encoded")
      .and.not.match(/node_modules|\bat \w+/u);
    const inbox = await call("GET /inbox/%ff");
    expect([inbox.status, inbox.body.code]).to.deep.equal([400, 10]);
  });

  it("shows an error page to browsers", async () => {
    const answer = await call("GET /nothing", browser);
    expect(answer.status).to.equal(404);
    expect(answer.headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).to.contain("default-src 'none'");
    expect(answer.text).to.contain("<h1>Page not found</h1>");
    const french = await fetch(`${url}/nothing`, {
      headers: { accept: browser, "accept-language": "fr-FR,en;q=0.5" },
    });
    const text = await french.text();
    expect(text).to.contain("<h1>Page introuvable</h1>").and.contain('<html lang="fr">');
    const [, nonce] = /style-src 'nonce-([\w-]+)'/u.exec(
      french.headers.get("content-security-policy") ?? "",
    ) ?? [undefined, ""];
    expect(text).to.contain(`<style nonce="${nonce}">`).and.contain('<a href="/">');
    expect((await call("GET /problems/x", browser)).text).to.contain("<h1>Page not found</h1>");
  });

  it("sends HSTS for a year over HTTPS, never over plain HTTP", async () => {
    const asked = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}${path}`, { headers })).headers.get("strict-transport-security");
    const places = ["/api/tickets/1", "/api/nothing", "/api/docs/", "/api/openapi.json"];
    for (const path of [...places, "/inbox/%ff", "/problems/not-found", "/nothing"]) {
      expect(await asked(path), `${path} by http`).to.equal(null);
      expect(await asked(path, { "x-forwarded-proto": "https" }), `${path} by https`).to.equal(
        "max-age=31536000; includeSubDomains",
      );
    }
  });

  for (const [operation, allow] of [
    ["POST /livez", "GET, HEAD"],
    ["DELETE /readyz", "GET, HEAD"],
    ["OPTIONS /metrics", "GET, HEAD"],
    ["PUT /inbox/abc", "GET, HEAD, POST"],
    ["POST /inbox/abc/requests", "GET, HEAD"],
  ] as const) {
    it(`answers 405 to ${operation}, with the allowed methods`, async () => {
      const answer = await call(operation);
      expectProblem(answer, "method_not_allowed");
      expect(answer.headers.get("allow")).to.equal(allow);
    });
  }

  it("answers internal errors with 500 without details, and logs them with the request id", async () => {
    for (const accept of ["*/*", browser]) {
      log.length = 0;
      const answer = await call("GET /broken", accept);
      expect(answer.status).to.equal(500);
      expect(answer.text).to.not.match(/secret|\bat \w+|\.ts/u);
      expect(log.map(({ level, event }) => `${level} ${event}`)).to.deep.equal([
        "error request.failed",
      ]);
      expect(log[0]?.fields["requestId"]).to.equal(answer.headers.get("x-request-id"));
      expect(JSON.stringify(log[0]?.fields["err"])).to.contain("secret detail");
    }
  });

  it("counts requests for pages by the start of their path, and no others", async () => {
    observed.length = 0;
    for (const path of [
      "/v/a-secret",
      "/",
      "/tickets/7",
      "/nothing-here",
      "/assets/a.js",
      "/livez",
    ]) {
      await fetch(`${url}${path}`);
    }
    await eventually(() =>
      expect(observed).to.deep.equal([
        { route: "/v", status: 500 },
        { route: "/", status: 200 },
        { route: "console", status: 404 },
      ]),
    );
  });

  it("hides the metrics from remote requests", async () => {
    const headers = { "x-forwarded-host": "video.example.com" };
    const response = await fetch(`${url}/metrics`, { headers });
    expect(response.status).to.equal(404);
    expect(await response.text()).to.not.contain("up 1");
  });

  it("serves health, metrics, API, pages and home", async () => {
    const statusOf = async (operation: string) => (await call(operation)).status;
    for (const path of ["/livez", "/readyz", "/metrics", "/problems/conflict", "/"]) {
      expect(await statusOf(`GET ${path}`), path).to.equal(200);
    }
    expect(await statusOf("GET /api/tickets/1")).to.equal(401);
  });

  it("redirects the old addresses of the mailbox", async () => {
    for (const [from, to] of [
      ["/outbox", "/mailbox"],
      ["/outbox/messages?channel=sms", "/mailbox/messages?channel=sms"],
      ["/outbox//other.example", "/mailbox//other.example"],
    ] as const) {
      const response = await fetch(`${url}${from}`, { redirect: "manual" });
      expect([response.status, response.headers.get("location")]).to.deep.equal([308, to]);
    }
  });
});
