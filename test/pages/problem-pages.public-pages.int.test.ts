import { expect } from "chai";
import express from "express";
import { problemCatalogue, type ProblemKind } from "../../src/contracts/problems.ts";
import { defaultAvatarPath } from "../../src/contracts/directory.ts";
import { createHttpServer, type HttpServer } from "../../src/http/http-server.ts";
import { problemType } from "../../src/http/answer.ts";
import { createPublicPages } from "../../src/pages/problem-pages.ts";

describe("public pages", () => {
  let server: HttpServer;
  let url: string;
  before(async () => {
    server = createHttpServer(express().use(createPublicPages({ baseUrl: "https://x.example" })));
    url = `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`;
  });
  after(() => server.close(1_000));

  for (const kind of Object.keys(problemCatalogue) as ProblemKind[]) {
    it(`describe the problem ${kind} at its type URL`, async () => {
      const { title, code } = problemCatalogue[kind];
      const page = await fetch(problemType(url, kind), { headers: { accept: "text/html" } });
      expect(page.headers.get("content-type")).to.contain("text/html");
      expect(await page.text()).to.contain(`<h1>${title}</h1>`);
      const data = await fetch(problemType(url, kind), { headers: { accept: "application/json" } });
      expect(await data.json()).to.include({
        title,
        code,
        type: problemType("https://x.example", kind),
      });
    });
  }

  it("contain the default avatar", async () => {
    const response = await fetch(`${url}${defaultAvatarPath}`);
    expect(response.headers.get("content-type")).to.contain("image/svg+xml");
    expect(await response.text()).to.contain("<svg");
  });
});
