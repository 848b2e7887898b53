/** `/`: what runs here and where everything is; `/home.json` is what the page asks for. */
import { Router } from "express";
import { refuseOtherMethods } from "../http/last-handlers.ts";
import { securityHeaders } from "../http/security-headers.ts";
import type { BuiltPages } from "./built.ts";
import type { IsLocal } from "./local-request.ts";
import { sendBuiltPage } from "./page.ts";

export type HomeDeps = Readonly<{
  built: BuiltPages;
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** Address of the demo's inbox. It holds a secret, so only this machine's browsers are told. */
  inboxUrl?: string | undefined;
  /** Whether `/outbox` shows what would have been sent; it answers this machine only, too. */
  hasOutbox: boolean;
  /** Whether `/loader-demo` is there. */
  hasLoaderDemo: boolean;
  isLocal: IsLocal;
  /** Logins for the commands: who signs in, and who handles the first ticket. */
  examples: Readonly<{ login: string; agent: string }>;
}>;

/** Who signs in here is nobody's business elsewhere: what the commands show there. */
export const placeholders = { login: "<login>", agent: "<login>" };

export function createHomeRouter(deps: HomeDeps): Router {
  const { built, baseUrl, inboxUrl = null, hasOutbox, hasLoaderDemo, isLocal, examples } = deps;
  const router = Router();
  router.get("/", (_request, response) => sendBuiltPage(response, { built, page: "home" }));
  router.get("/home.json", securityHeaders(), (request, response) => {
    const isShown = isLocal(request);
    response.set("Cache-Control", "no-store");
    response.json({
      inboxUrl: isShown ? inboxUrl : null,
      hasOutbox: isShown && hasOutbox,
      hasLoaderDemo,
      examples: { baseUrl, ...(isShown ? examples : placeholders) },
    });
  });
  router.all(["/", "/home.json"], refuseOtherMethods("GET, HEAD"));
  return router;
}
