import express, { type Router } from "express";
import { isLocal } from "./local-request.ts";
import { demoLogins, sendPage, serveAssets, setPageHeaders, type ExampleLogins } from "./pages.ts";

export type HomeRouterDeps = {
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** Address of the demo's inbox. It holds a secret, so only this machine's browsers are told. */
  inboxUrl?: string | undefined;
  /** Whether `/outbox` shows what would have been sent; it answers this machine only, too. */
  hasOutbox?: boolean;
  examples?: ExampleLogins | undefined;
};

/** `/`: what runs here and where everything is. Also serves what all pages load. */
export const createHomeRouter = (deps: HomeRouterDeps): Router => {
  const { baseUrl, inboxUrl = null, hasOutbox = false, examples = demoLogins } = deps;
  const router = express.Router();
  router.get("/", setPageHeaders, (_request, response) => {
    sendPage(response, 200, "home/index.html");
  });
  router.get("/assets/home.json", setPageHeaders, (request, response) => {
    const isShown = isLocal(request);
    response.set("Cache-Control", "no-store");
    response.json({
      inboxUrl: isShown ? inboxUrl : null,
      hasOutbox: isShown && hasOutbox,
      examples: { baseUrl, ...examples },
    });
  });
  for (const folder of ["look", "home", "inbox", "outbox"]) {
    router.use(`/assets/${folder}`, setPageHeaders, serveAssets(folder));
  }
  return router;
};
