/** `/`: the start page of the platform. It reads `/home.json`. */
import { Router, type Request } from "express";
import { rejectOtherMethods } from "./problem-pages.ts";
import { securityHeaders } from "../http/http-server.ts";
import type { BuiltPages } from "./built-pages.ts";
import { sendBuiltPage } from "./page.ts";

export type HomeDeps = Readonly<{
  built: BuiltPages;
  /** Public address, without a trailing slash. */
  baseUrl: string;
  /** URL of the demo inbox. It contains a secret, so it is shown to local browsers only. */
  inboxUrl?: string | undefined;
  /** Whether `/mailbox` is mounted. It answers local requests only. */
  hasMailbox: boolean;
  /** Whether `/loader-demo` is mounted. */
  hasLoaderDemo: boolean;
  isLocal: IsLocal;
  /** Logins in the example commands: one to sign in with, and one that handles the first ticket. */
  examples: Readonly<{ login: string; agent: string }>;
}>;

/** Logins are shown to local requests only. */
export const placeholders = { login: "<login>", agent: "<login>" };

export type IsLocal = (request: Request) => boolean;

export function createHomeRouter(deps: HomeDeps): Router {
  const { built, baseUrl, inboxUrl = null, hasMailbox, hasLoaderDemo, isLocal, examples } = deps;
  const router = Router();
  router.get("/", (_request, response) => sendBuiltPage(response, { built, page: "home" }));
  router.get("/home.json", securityHeaders(), (request, response) => {
    const isShown = isLocal(request);
    response.set("Cache-Control", "no-store");
    response.json({
      inboxUrl: isShown ? inboxUrl : null,
      hasMailbox: isShown && hasMailbox,
      hasLoaderDemo,
      examples: { baseUrl, ...(isShown ? examples : placeholders) },
    });
  });
  router.all(["/", "/home.json"], rejectOtherMethods("GET, HEAD"));
  return router;
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/u;

const localNames = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/** Proxies and tunnels add at least one of them. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Whether a request comes from this machine without a proxy. The host name counts too, against DNS
 * rebinding. Never local if the public address is not: a proxy that adds no headers would look
 * local.
 */
export function createLocalCheck(isLocalPlatform: boolean): IsLocal {
  return (request) =>
    isLocalPlatform &&
    loopback.test(request.socket.remoteAddress ?? "") &&
    localNames.has(request.hostname ?? "") &&
    proxyHeaders.every((name) => request.get(name) === undefined);
}
