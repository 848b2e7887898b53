import { expect } from "chai";
import type { Request } from "express";
import { startOfPage } from "../../src/pages/page.ts";
import { useDistFolder } from "../support/built-pages.ts";

function script(name: string) {
  return { en: [`assets/${name}-en.js`], fr: [`assets/${name}-fr.js`] };
}

const preloads = JSON.stringify([
  { folder: "console", address: "/tickets/$ticketId", scripts: script("ticket") },
  { folder: "console", address: "/tickets/new", scripts: script("new") },
  { folder: "other", address: "/tickets", scripts: script("other") },
]);

function requestFor(path: string, language: "en" | "fr" = "en"): Request {
  return { path, acceptsLanguages: () => language } as unknown as Request;
}

describe("the preloads of a page", () => {
  const dist = useDistFolder();
  const start = (request: Request, mayHaveSession = true) =>
    startOfPage(
      { built: dist.built, page: "console", mayHaveSession: () => mayHaveSession },
      request,
    );
  const tags = async (request: Request, mayHaveSession = true): Promise<string> =>
    (await start(request, mayHaveSession)).head;

  beforeEach(() => dist.add("aaaaaaaaaaaaaaaa", { "preloads.json": preloads }));

  it("match its path, in the language of the browser", async () => {
    expect(await tags(requestFor("/tickets/7"))).to.contain('href="/assets/ticket-en.js"');
    expect(await tags(requestFor("/tickets/7/", "fr"))).to.contain('href="/assets/ticket-fr.js"');
    const found = await tags(requestFor("/tickets/new"));
    expect(found).to.contain("new-en.js").and.not.contain("ticket");
  });

  it("are empty for an unknown path, or without a build", async () => {
    expect(await tags(requestFor("/tickets"))).to.not.contain("modulepreload");
    await dist.add("bbbbbbbbbbbbbbbb", {});
    expect(await tags(requestFor("/tickets/7"))).to.not.contain("modulepreload");
  });

  it("request the session, unless there can be none", async () => {
    expect(await tags(requestFor("/tickets"))).to.contain('href="/api/browser-session"');
    const without = await tags(requestFor("/tickets"), false);
    expect(without).to.contain('name="session" content="none"').and.not.contain("/api/");
  });

  it("are sent with 404 for an unknown path", async () => {
    const statusOf = async (path: string) => (await start(requestFor(path))).status;
    expect([await statusOf("/tickets/7"), await statusOf("/tickets/7/x")]).to.deep.equal([
      200, 404,
    ]);
    await dist.add("bbbbbbbbbbbbbbbb", {});
    expect(await statusOf("/tickets/7/x")).to.equal(200);
  });
});
