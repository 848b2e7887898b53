import { once } from "node:events";
import { connect } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { BuiltPages } from "../../src/pages/built-pages.ts";
import { createPagesRouter } from "../../src/pages/routes.ts";
import { allowed, servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";

const build = "aaaaaaaaaaaaaaaa";
const script = `export const long = "${"x".repeat(2_000)}";\n`;

/** A raw request, because HTTP clients normalize the path and add headers. */
async function askRaw(url: string, path: string, ...more: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [`GET ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...more, "", ""];
  socket.write(lines.join("\r\n"));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

describe("files of built pages", () => {
  const dist = useDistFolder();
  let server: PageServer;
  const serve = (built: BuiltPages): Promise<PageServer> =>
    servePages(
      createPagesRouter({
        isInformationKnown: async () => true,
        entryPoints: {
          limiter: { take: async () => allowed },
          findEntryPoint: async () => undefined,
        },
        openTicketSession: async () => [],
        mayHaveSession: () => true,
        built,
        findFramePolicy: async () => ({ frameAncestors: [], isService: false }),
        limiter: { take: async () => allowed },
        log: { warn: () => {} },
      }),
    );
  beforeEach(async () => {
    await dist.add(build, {
      "assets/page-1a2b.js": script,
      "assets/look-1a2b.css": "a{}",
      "start.js": "theme",
      "loaderAgent.js": "loader",
      "loader/agent.css": "b{}",
      "manifest.json": "{}",
      "home/index.html": "home",
    });
    await writeFile(join(dist.path, build, "assets/page-1a2b.js.br"), brotliCompressSync(script));
    await writeFile(join(dist.path, build, "assets/page-1a2b.js.gz"), gzipSync(script));
    server = await serve(dist.built);
  });
  afterEach(() => server.close());

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${server.url}${path}`, { method, headers });

  it("are immutable in caches if their name contains a hash", async () => {
    const { status, headers } = await get("/assets/page-1a2b.js");
    expect(status).to.equal(200);
    expect(headers.get("cache-control")).to.equal("public, max-age=31536000, immutable");
    expect(headers.get("content-type")).to.match(/^text\/javascript/u);
    expect(headers.get("x-content-type-options")).to.equal("nosniff");
    expect((await get("/assets/look-1a2b.css")).headers.get("content-type")).to.match(
      /^text\/css/u,
    );
  });

  it("are revalidated otherwise, with a 304 if unchanged", async () => {
    for (const path of ["/start.js", "/loaderAgent.js", "/loader/agent.css"]) {
      const first = await get(path);
      expect([first.status, first.headers.get("cache-control")]).to.deep.equal([200, "no-cache"]);
      expect(first.headers.get("cross-origin-resource-policy"), path).to.equal("cross-origin");
      const etag = first.headers.get("etag") ?? "";
      expect(etag, path).to.not.equal("");
      expect(await askRaw(server.url, path, `If-None-Match: ${etag}`), path).to.match(
        /^HTTP\/1\.1 304 /u,
      );
    }
  });

  for (const [accepted, encoding] of [
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["identity", null],
    ["gzip, br;q=0", "gzip"],
  ] as const) {
    it(`are compressed for Accept-Encoding: ${accepted}`, async () => {
      const answer = await get("/assets/page-1a2b.js", { "accept-encoding": accepted });
      const { headers } = answer;
      expect(headers.get("content-encoding")).to.equal(encoding);
      expect(headers.get("vary")).to.match(/accept-encoding/iu);
      expect(headers.get("content-type")).to.match(/^text\/javascript/u);
      expect(await answer.text()).to.equal(script);
    });
  }

  it("are still served for pages of the previous build", async () => {
    await dist.add("bbbbbbbbbbbbbbbb", { "assets/page-9z9z.js": "new" });
    expect(await (await get("/assets/page-1a2b.js")).text()).to.equal(script);
    expect(await (await get("/assets/page-9z9z.js")).text()).to.equal("new");
  });

  it("answer an uncompressed 404 if a cleanup has removed them", async () => {
    const gone = await serve({ ...dist.built, find: async (file) => join(dist.path, file) });
    const answer = await askRaw(gone.url, "/assets/page.js", "Accept-Encoding: br");
    await gone.close();
    expect(answer)
      .to.contain("application/problem+json")
      .and.not.match(/^HTTP\/1\.1 2/u);
    expect(answer.toLowerCase()).to.not.contain("content-encoding");
  });

  it("answer HEAD without a body, but no method that changes something", async () => {
    const head = await get("/assets/page-1a2b.js", {}, "HEAD");
    expect([head.status, await head.text()]).to.deep.equal([200, ""]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await get("/assets/page-1a2b.js", {}, method);
      expect([answer.status, answer.headers.get("allow")], method).to.deep.equal([
        405,
        "GET, HEAD",
      ]);
    }
  });

  for (const path of [
    "/assets/unknown.js",
    "/assets/",
    "/assets/..%2Fmanifest.json",
    "/assets/..%2f..%2fcurrent",
    "/assets/%2e%2e%2fcurrent",
    "/assets/..%5Cmanifest.json",
    "/assets/page-1a2b.js%00.css",
    "/assets/.hidden",
    "/loader/..%2Fstart.js",
    "/loader/unknown.css",
    "/manifest.json",
  ]) {
    it(`answer 404 at ${path}`, async () => {
      const answer = await askRaw(server.url, path);
      expect(answer).to.match(/^HTTP\/1\.1 404 /u);
      expect(answer.toLowerCase()).to.contain("cache-control: no-store");
    });
  }

  it("do not allow path traversal", async () => {
    for (const path of ["/assets/../current", "/assets/../../package.json", "//etc/passwd"]) {
      expect(await askRaw(server.url, path), path).to.match(/^HTTP\/1\.1 40[04] /u);
    }
  });
});
