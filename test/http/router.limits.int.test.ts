import { expect } from "chai";
import { createRateLimiter } from "../../src/http/rate-limit.ts";
import { memoryRateStores, only, startApi, testCaller } from "../support/api.ts";
import { echoRoutes } from "../support/echo-routes.ts";
import { sendRaw } from "../support/raw-request.ts";

async function faultOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

describe("API router's limits", () => {
  const limiter = (name: string, limit: number) =>
    createRateLimiter({ store: memoryRateStores(name, 60), limit, windowMs: 60_000 });

  it("counts forbidden calls too, and answers 429 above the limit", async () => {
    const callers = [
      only(testCaller({ role: "viewer" })),
      only(testCaller({ accountType: "platform" })),
    ];
    for (const authenticate of callers) {
      const limits = { api: limiter("api", 2) };
      const limited = await startApi({ routes: echoRoutes, authenticate, limits });
      const headers = { authorization: "Bearer good" };
      const post = () => fetch(`${limited.url}/api/echoes`, { method: "POST", headers });
      const first = await post();
      expect(first.status).to.equal(403);
      expect(first.headers.get("x-ratelimit-remaining")).to.equal("1");
      expect((await post()).status).to.equal(403);
      expect(await faultOf(await post())).to.include({ status: 429, code: 12 });
      await limited.close();
    }
  });

  it("limits a public operation by address before it reads the body", async () => {
    const limits = { tokenIp: limiter("token-ip", 1) };
    const limited = await startApi({ routes: echoRoutes, limits });
    const first = await fetch(`${limited.url}/api/open`, { method: "POST" });
    expect(first.status).to.equal(400);
    expect(first.headers.get("x-ratelimit-limit")).to.equal("1");
    expect(first.headers.get("x-ratelimit-remaining")).to.equal("0");
    const unfinished = {
      method: "POST",
      path: "/api/open",
      headers: { "content-type": "application/json", "content-length": "100" },
    };
    const refused = await sendRaw(limited.url, unfinished);
    expect(refused.statusCode).to.equal(429);
    refused.destroy();
    await limited.close();
  });

  it("limits each kind of a user's calls separately", async () => {
    const limits = { api: limiter("api", 2), events: limiter("events", 1) };
    const limited = await startApi({ routes: echoRoutes, limits });
    const headers = { authorization: "Bearer good" };
    const get = () => fetch(`${limited.url}/api/tickets/12`, { headers });
    const first = await get();
    expect(first.headers.get("x-ratelimit-limit")).to.equal("2");
    expect(first.headers.get("x-ratelimit-remaining")).to.equal("1");
    expect(Number(first.headers.get("x-ratelimit-reset"))).to.be.within(50, 60);
    await get();
    const refused = await get();
    expect(Number(refused.headers.get("retry-after"))).to.be.within(50, 60);
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
