import { expect } from "chai";
import { startApi, type TestApi } from "../../support/api.ts";
import { echoRoutes } from "../../support/echo-routes.ts";

describe("the documents of the API", () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
  });
  after(() => api.close());

  const get = (path: string, init: RequestInit = {}) => fetch(`${api.url}/api${path}`, init);

  for (const [path, version] of [
    ["/openapi.json", "3.1.0"],
    ["/v3/openapi.json", "3.0.0"],
  ] as const) {
    it(`serve OpenAPI ${version} at ${path} publicly and cacheable`, async () => {
      const response = await get(path);
      expect(response.status).to.equal(200);
      expect(response.headers.get("content-type")).to.match(/^application\/json/u);
      expect(response.headers.get("cache-control")).to.equal("public, max-age=300");
      expect(response.headers.has("x-ratelimit-limit")).to.equal(false);
      expect(await response.json()).to.include({ openapi: version });
      const etag = response.headers.get("etag") ?? "";
      expect(etag).to.match(/^"[\w-]+"$/u);
      const again = await get(path, {
        headers: { "if-none-match": etag, "cache-control": "max-age=0" },
      });
      expect(again.status).to.equal(304);
    });
  }

  it("are compressed if accepted, with a separate ETag", async () => {
    const tags = new Set<string | null>();
    const texts = new Set<string>();
    for (const [accepted, sent] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const response = await get("/openapi.json", { headers: { "accept-encoding": accepted } });
      expect(response.headers.get("content-encoding"), accepted).to.equal(sent);
      expect(response.headers.get("vary")).to.contain("Accept-Encoding");
      tags.add(response.headers.get("etag"));
      texts.add(await response.text());
    }
    expect([tags.size, texts.size]).to.deep.equal([3, 1]);
  });

  it("answer HEAD, but no method that changes something", async () => {
    expect((await get("/openapi.json", { method: "HEAD" })).status).to.equal(200);
    const refused = await get("/openapi.json", { method: "POST" });
    expect(refused.status).to.equal(405);
    expect(refused.headers.get("allow")).to.equal("GET, HEAD");
  });
});
