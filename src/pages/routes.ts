/** Routes of the pages and their files. */
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { FindFramePolicy } from "../contracts/directory.ts";
import type { OpenTicketSession } from "../contracts/tickets.ts";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";
import type { Logger } from "../platform/logger.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { type BuiltPages, serveBuiltFile } from "./built-pages.ts";
import { type PreloadDeps, sendBuiltPage, startOfPage } from "./page.ts";
import { rejectOtherMethods } from "./problem-pages.ts";
import {
  type EntryPointPageDeps,
  type IsCodeKnown,
  redirectReferrerPolicy,
  showEntryPoint,
  showInformation,
  serviceKeyShape,
} from "./public-links.ts";
import { minuteMs } from "../platform/clock.ts";

/** First segments of all paths of the console; the console routes the rest. */
export const consolePaths = [
  ...["login", "password", "tickets", "meetings", "rooms", "messages", "statistics"],
  ...["dashboard", "settings", "platform", "search", "agent", "alerts"],
] as const;

export type PagesDeps = QuickInvitationDeps &
  AgentCallDeps &
  Readonly<{
    isInformationKnown: IsCodeKnown;
    entryPoints: Omit<EntryPointPageDeps, "built">;
    /** Only in development: a page that plays a customer's system. */
    hasLoaderDemo?: boolean;
  }> &
  Pick<PreloadDeps, "mayHaveSession">;

export type QuickInvitationDeps = Readonly<{
  built: BuiltPages;
  findFramePolicy: FindFramePolicy;
  /** Unauthenticated, and causes a database read. */
  limiter: Pick<RateLimiter, "take">;
  log: Pick<Logger, "warn">;
  nowMs?: () => number;
}>;

/** `/api/docs`. Mount it before the API, which has every other path below `/api`. */
export function createApiDocsPage({ built }: Pick<PagesDeps, "built">): Router {
  const router = Router();
  router.get("/", show(built, "api-docs"));
  router.all("/", rejectOtherMethods("GET, HEAD"));
  return router;
}

type PageRoute = [paths: string[], handler: RequestHandler];

/** Files with a hash in their name are cached for a year, others are revalidated each time. */
const immutableCache = "public, max-age=31536000, immutable";

const revalidate = "no-cache";

/** Built files without a hash in their name, at the root of the build. */
const namedFiles = ["/start.js", "/loaderAgent.js"];

export function createPagesRouter(deps: PagesDeps): Router {
  const { built, hasLoaderDemo = false } = deps;
  const router = Router();
  const demo: PageRoute = [["/loader-demo"], show(built, "loader-demo", ["'self'"])];
  const pageRoutes: PageRoute[] = [
    [["/assets/:file"], serveBuiltFile(built, { folder: "assets/", cacheControl: immutableCache })],
    [namedFiles, serveBuiltFile(built, { folder: "", cacheControl: revalidate })],
    [["/loader/:file"], serveBuiltFile(built, { folder: "loader/", cacheControl: revalidate })],
    // Before the console, which has every other address below `/agent`.
    [[agentCallPath], showAgentCall(deps)],
    [consolePaths.flatMap((path) => [`/${path}`, `/${path}/*rest`]), showConsole(deps)],
    [["/quick-invitation"], showQuickInvitation(deps)],
    [["/i/:code"], showInformation(built, deps.isInformationKnown)],
    [["/e/:buttonId"], showEntryPoint({ built, ...deps.entryPoints })],
    // The agent module frames its own page during a call.
    ...(hasLoaderDemo ? [demo] : []),
  ];
  for (const [paths, handler] of pageRoutes) {
    router.get(paths, handler);
    router.all(paths, rejectOtherMethods("GET, HEAD"));
  }
  return router;
}

function show(
  built: BuiltPages,
  page: string,
  frameAncestors: readonly string[] = [],
): RequestHandler {
  return (_request, response) => sendBuiltPage(response, { built, page }, { frameAncestors });
}

function showConsole({ built, mayHaveSession }: PagesDeps): RequestHandler {
  return async (request, response) => {
    const start = await startOfPage({ built, mayHaveSession, page: "console" }, request);
    await sendBuiltPage(response, { built, page: "console", ...start });
  };
}

function showQuickInvitation(deps: QuickInvitationDeps): RequestHandler {
  const warnOfUnknown = createWarning(deps);
  return async (request: Request, response) => {
    const verdict = await deps.limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    const input = firstOf(request.query["service_key"]);
    const { frameAncestors, isService } = await deps.findFramePolicy({
      host: request.headers.host,
      serviceKey: input !== undefined && serviceKeyShape.test(input) ? input : undefined,
      cookieHeader: request.headers.cookie,
    });
    if (input !== undefined && !isService) {
      warnOfUnknown(input);
    }
    const page = { built: deps.built, page: "quick-invitation" };
    await sendBuiltPage(response, page, { frameAncestors });
  };
}

/** Bounds memory: prefixes are client input. */
const maxPrefixes = 100;

/** Logs each unknown key prefix once a minute; never the whole key. */
function createWarning({ log, nowMs = Date.now }: QuickInvitationDeps) {
  const warned = new Set<string>();
  let untilMs = 0;
  return (input: string): void => {
    const prefix = input.slice(0, 4);
    if (nowMs() >= untilMs) {
      warned.clear();
      untilMs = nowMs() + minuteMs;
    }
    if (warned.size < maxPrefixes && !warned.has(prefix)) {
      warned.add(prefix);
      log.warn(
        { serviceKey: { begins: prefix, length: input.length } },
        "quick_invitation.unknown_service",
      );
    }
  };
}

/** The first value of a repeatable query parameter. */
function firstOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
}

/**
 * The agent's page of a room, a document of its own: sites that may frame it show one ticket, never
 * the console. The token of a `sso_url` becomes a cookie, and leaves the address by a redirect.
 */
const agentCallPath = "/agent/entrypoint/:buttonId/tickets/:ticketId";

type AgentCallDeps = Pick<PreloadDeps, "built" | "mayHaveSession"> &
  Readonly<{
    findFramePolicy: FindFramePolicy;
    /** Unauthenticated, and causes a database read. */
    limiter: Pick<RateLimiter, "take">;
    openTicketSession: OpenTicketSession;
  }>;

function showAgentCall(deps: AgentCallDeps): RequestHandler {
  return async (request, response) => {
    const verdict = await deps.limiter.take(clientNetwork(request.ip));
    if (!verdict.isAllowed) {
      throw rateLimited(verdict);
    }
    if (request.query["access_token"] !== undefined) {
      await exchangeToken(deps, request, response);
      return;
    }
    const { built, mayHaveSession } = deps;
    const { frameAncestors } = await deps.findFramePolicy({
      host: request.headers.host,
      serviceKey: undefined,
      cookieHeader: request.headers.cookie,
    });
    const { head } = await startOfPage({ built, mayHaveSession, page: "console/call" }, request);
    const page = { built, page: "console/call", head };
    await sendBuiltPage(response, page, { frameAncestors });
  };
}

/** An invalid token leads to the same page without a session: it says how to sign in. */
async function exchangeToken(
  deps: AgentCallDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const token = request.query["access_token"];
  const ticketId = Number(request.params["ticketId"]);
  const cookies =
    typeof token === "string" && Number.isSafeInteger(ticketId)
      ? await deps.openTicketSession({
          ...{ token, ticketId },
          cookieHeader: request.headers.cookie,
          userAgent: request.headers["user-agent"],
          isEmbedded: isInForeignFrame(request),
        })
      : [];
  response.set({ "Cache-Control": "no-store", "Referrer-Policy": redirectReferrerPolicy });
  if (cookies.length > 0) {
    response.set("Set-Cookie", cookies);
  }
  response.redirect(303, withoutToken(request));
}

/** Browsers keep a cookie there only with other attributes. */
function isInForeignFrame(request: Request): boolean {
  return (
    request.get("sec-fetch-dest") === "iframe" && request.get("sec-fetch-site") === "cross-site"
  );
}

/** Path and query of the same page; never another host, whatever the path begins with. */
function withoutToken(request: Request): string {
  const url = new URL(request.originalUrl, "http://page.invalid");
  url.searchParams.delete("access_token");
  return `${url.pathname}${url.search}`;
}
