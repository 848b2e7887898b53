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
    it(`serve OpenAPI ${version} at ${path} to everybody, and may be kept`, async () => {
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

  it("show the viewer at its path, with and without a slash, without anything of elsewhere", async () => {
    const pages = await Promise.all(
      ["/docs", "/docs/"].map(async (path) => {
        const response = await get(path);
        expect(response.status).to.equal(200);
        expect(response.headers.get("content-type")).to.match(/^text\/html/u);
        expect(response.headers.get("content-security-policy")).to.equal(
          "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;" +
            "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
        );
        return response.text();
      }),
    );
    const [page = "", other] = pages;
    expect(other).to.equal(page);
    const links = [...page.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, link = ""]) => link);
    expect(links).to.have.length(6);
    for (const link of links) {
      expect(link).to.match(/^\/api\//u);
      const response = await fetch(`${api.url}${link}`);
      expect(response.status, link).to.equal(200);
      expect((await response.text()).length, link).to.be.greaterThan(50);
    }
  });

  it("let browsers keep for ever what is asked for by its version", async () => {
    const response = await get("/docs/swagger-ui-bundle.js?v=1");
    expect(response.headers.get("cache-control")).to.equal("public, max-age=31536000, immutable");
    expect(response.headers.get("content-type")).to.match(/^text\/javascript/u);
    await response.body?.cancel();
  });

  it("serve no other file of the package", async () => {
    for (const file of ["package.json", "index.html", "..%2fpackage.json"]) {
      expect((await get(`/docs/${file}`)).status, file).to.equal(404);
    }
  });

  it("answer HEAD, and no method that would change something", async () => {
    expect((await get("/openapi.json", { method: "HEAD" })).status).to.equal(200);
    const refused = await get("/openapi.json", { method: "POST" });
    expect(refused.status).to.equal(405);
    expect(refused.headers.get("allow")).to.equal("GET, HEAD");
    expect((await get("/docs", { method: "DELETE" })).status).to.equal(405);
  });
});
