import { expect } from "chai";
import { Router } from "express";
import { sendBuiltPage } from "../../src/pages/page.ts";
import { servePages, useDistFolder } from "../support/built-pages.ts";

describe("the Content-Security-Policy of a page", () => {
  const dist = useDistFolder();

  const connectSources = async (sources: readonly string[]): Promise<string | undefined> => {
    await dist.add("aaaaaaaaaaaaaaaa", { "home/index.html": "<head></head>" });
    const built = { ...dist.built, connectSources: sources };
    const router = Router();
    router.get("/", (_request, response) => sendBuiltPage(response, { built, page: "home" }));
    const server = await servePages(router);
    const { headers } = await fetch(server.url);
    await server.close();
    const policy = headers.get("content-security-policy") ?? "";
    return policy.split("; ").find((part) => part.startsWith("connect-src"));
  };

  it("permits connections to the platform, and to LiveKit if configured", async () => {
    expect(await connectSources([])).to.equal("connect-src 'self'");
    const livekit = ["wss://livekit.example.com", "https://livekit.example.com"];
    expect(await connectSources(livekit)).to.equal(
      "connect-src 'self' wss://livekit.example.com https://livekit.example.com",
    );
  });
});
