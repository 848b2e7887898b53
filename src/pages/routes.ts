/** The pages that people open, and the files that they load. */
import { Router, type RequestHandler } from "express";
import { rejectOtherMethods } from "./last-handlers.ts";
import { serveBuiltFile, type BuiltPages } from "./built-pages.ts";
import { showInformation, type IsCodeKnown } from "./public-links.ts";
import { sendBuiltPage, startOfPage, type PreloadDeps } from "./page.ts";
import { showQuickInvitation, type QuickInvitationDeps } from "./quick-invitation.ts";

/** Every address of the console begins with one of these; the page itself knows the rest. */
export const consolePaths = [
  ...["login", "password", "tickets", "meetings", "messages", "statistics", "dashboard"],
  ...["settings", "platform", "search", "agent", "alerts"],
] as const;

export type PagesDeps = QuickInvitationDeps &
  Readonly<{
    isInformationKnown: IsCodeKnown;
    /** Only on set-ups for development: a page that plays somebody else's system. */
    hasLoaderDemo?: boolean;
  }> &
  Pick<PreloadDeps, "mayHaveSession">;

/** `/api/docs`, to be mounted there before the API, which has every other path below `/api`. */
export function createApiDocsPage({ built }: Pick<PagesDeps, "built">): Router {
  const router = Router();
  router.get("/", show(built, "api-docs"));
  router.all("/", rejectOtherMethods("GET, HEAD"));
  return router;
}

type PageRoute = [paths: string[], handler: RequestHandler];

/** Files with a hash in their name are kept for a year; the others are asked for again each time. */
const immutableCache = "public, max-age=31536000, immutable";

const revalidate = "no-cache";

/** Built files whose name says nothing of their content, at the root of the build. */
const namedFiles = ["/start.js", "/loaderAgent.js"];

export function createPagesRouter(deps: PagesDeps): Router {
  const { built, hasLoaderDemo = false } = deps;
  const router = Router();
  const demo: PageRoute = [["/loader-demo"], show(built, "loader-demo", ["'self'"])];
  const pageRoutes: PageRoute[] = [
    [["/assets/:file"], serveBuiltFile(built, { folder: "assets/", cacheControl: immutableCache })],
    [namedFiles, serveBuiltFile(built, { folder: "", cacheControl: revalidate })],
    [["/loader/:file"], serveBuiltFile(built, { folder: "loader/", cacheControl: revalidate })],
    [consolePaths.flatMap((path) => [`/${path}`, `/${path}/*rest`]), showConsole(deps)],
    [["/quick-invitation"], showQuickInvitation(deps)],
    [["/i/:code"], showInformation(built, deps.isInformationKnown)],
    // Its agent module puts the page into a frame of itself during a call.
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
