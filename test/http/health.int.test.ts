import { expect } from "chai";
import { createHealthServer, NotReadyError, type HealthCheck } from "../../src/http/health.ts";
import type { HttpServer } from "../../src/http/http-server.ts";
import { logInto, type LogLine } from "../support/api.ts";
import { promised } from "../support/promised.ts";

describe("health", () => {
  let server: HttpServer;
  let url: string;
  const checks: HealthCheck[] = [];
  const log: LogLine[] = [];
  let stopRequested = new AbortController();
  let render = async () => ({ contentType: "text/plain; version=0.0.4", text: "up 1\n" });

  before(async () => {
    server = createHealthServer({
      checks,
      checkTimeoutMs: 50,
      get stopRequested() {
        return stopRequested.signal;
      },
      render: () => render(),
      log: logInto(log),
    });
    url = `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`;
  });
  after(() => server.close(1_000));
  beforeEach(() => {
    checks.length = 0;
    log.length = 0;
    stopRequested = new AbortController();
  });

  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it("is live for any result of its checks", async () => {
    checks.push({ name: "database", check: () => Promise.reject(new Error("down")) });
    const response = await fetch(`${url}/livez`);
    expect(response.status).to.equal(200);
    expect(await response.json()).to.deep.equal({ status: "ok" });
  });

  it("is ready while every check passes", async () => {
    checks.push({ name: "database", check: async () => undefined });
    const { status, body } = await ready();
    expect(status).to.equal(200);
    expect(body["status"]).to.equal("ok");
    expect(body["checks"]).to.have.nested.property("[0].name", "database");
  });

  it("is not ready when one fails, and names it, with the reason if that is public", async () => {
    checks.push({ name: "database", check: async () => undefined });
    checks.push({ name: "schema", check: () => Promise.reject(new NotReadyError("old")) });
    const { status, body } = await ready();
    expect(status).to.equal(503);
    const parts = body["checks"] as Record<string, unknown>[];
    expect(parts.map((part) => part["status"])).to.deep.equal(["ok", "failed"]);
    expect(parts[1]).to.include({ name: "schema", error: "old" });
  });

  it("logs the message of an error without showing it", async () => {
    const message = "connect ECONNREFUSED 10.1.2.3:5432";
    checks.push({ name: "database", check: () => Promise.reject(new Error(message)) });
    const { body } = await ready();
    expect((body["checks"] as object[])[0]).to.have.all.keys("name", "status", "ms");
    expect(JSON.stringify(body)).to.not.contain("10.1.2.3");
    expect(log).to.deep.equal([
      {
        level: "warn",
        fields: { check: "database", reason: message },
        event: "health.check_failed",
      },
    ]);
  });

  it("does not wait for a check that hangs", async () => {
    checks.push({ name: "database", check: () => new Promise(() => undefined) });
    const startedAt = performance.now();
    expect((await ready()).status).to.equal(503);
    expect(performance.now() - startedAt).to.be.lessThan(promised(1_000));
  });

  it("serves metrics with their media type, and 500 if rendering fails", async () => {
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get("content-type")).to.equal("text/plain; version=0.0.4");
    expect(await response.text()).to.equal("up 1\n");
    render = () => Promise.reject(new Error("no word from 10.1.2.3"));
    const failed = await fetch(`${url}/metrics`);
    expect(failed.status).to.equal(500);
    expect(await failed.text()).to.equal("failed");
    expect(log.map(({ event }) => event)).to.deep.equal(["metrics.failed"]);
  });

  it("requires the token for the metrics, if one is configured", async () => {
    const metricsToken = "a-token-of-24-characters";
    const guarded = createHealthServer({ checks, metricsToken, render, log: logInto(log) });
    const place = `http://127.0.0.1:${await guarded.listen(0, "127.0.0.1")}`;
    const get = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await fetch(`${place}/metrics`, { headers });
      return [response.status, response.headers.get("www-authenticate")];
    };
    const refused = [401, 'Bearer realm="metrics"'];
    expect(await get()).to.deep.equal(refused);
    expect(await get("Bearer another-token-of-24-char")).to.deep.equal(refused);
    expect(await get(`Basic ${metricsToken}`)).to.deep.equal(refused);
    render = async () => ({ contentType: "text/plain", text: "up 1\n" });
    expect((await get(`bearer ${metricsToken}`))[1]).to.equal(null);
    expect((await fetch(`${place}/livez`)).status).to.equal(200);
    await guarded.close(1_000);
  });

  it("serves nothing else", async () => {
    expect((await fetch(`${url}/`)).status).to.equal(404);
    expect((await fetch(`${url}/constructor`)).status).to.equal(404);
    const response = await fetch(`${url}/livez`, { method: "POST" });
    expect(response.status).to.equal(405);
    expect(response.headers.get("allow")).to.equal("GET, HEAD");
  });

  it("stays live but is not ready once it is asked to stop", async () => {
    checks.push({ name: "database", check: async () => undefined });
    expect((await ready()).status).to.equal(200);
    stopRequested.abort();
    expect(await ready()).to.deep.equal({ status: 503, body: { status: "stopping", checks: [] } });
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
  });
});
