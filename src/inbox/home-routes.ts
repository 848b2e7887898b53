import express, { type Request, type Router } from "express";
import { demoLogins, sendPage, serveAssets, setPageHeaders, type ExampleLogins } from "./pages.ts";

export type HomeRouterDeps = {
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** Address of the demo's inbox. It holds a secret, so only this machine's browsers are told. */
  inboxUrl?: string | undefined;
  examples?: ExampleLogins | undefined;
};

const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;
const localNames = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/**
 * A request of this very machine that came through no proxy. The host's name counts too: a foreign
 * page can make a name of its own mean this machine.
 */
const isLocal = (request: Request): boolean =>
  loopback.test(request.socket.remoteAddress ?? "") &&
  localNames.has(request.hostname ?? "") &&
  request.get("x-forwarded-for") === undefined &&
  request.get("forwarded") === undefined;

/** `/`: what runs here and where everything is. Also serves what all pages load. */
export const createHomeRouter = (deps: HomeRouterDeps): Router => {
  const { baseUrl, inboxUrl = null, examples = demoLogins } = deps;
  const router = express.Router();
  router.get("/", setPageHeaders, (_request, response) => {
    sendPage(response, 200, "home/index.html");
  });
  router.get("/assets/home.json", setPageHeaders, (request, response) => {
    const shownInbox = isLocal(request) ? inboxUrl : null;
    response.set("Cache-Control", "no-store");
    response.json({ inboxUrl: shownInbox, examples: { baseUrl, ...examples } });
  });
  for (const folder of ["look", "home", "inbox"]) {
    router.use(`/assets/${folder}`, setPageHeaders, serveAssets(folder));
  }
  return router;
};
