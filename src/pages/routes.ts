/** The pages that people open, and the files that they load. */
import { Router, type RequestHandler } from "express";
import { refuseOtherMethods } from "../http/last-handlers.ts";
import { serveBuiltFile } from "./assets.ts";
import type { BuiltPages } from "./built.ts";
import { sendBuiltPage } from "./page.ts";
import { showQuickInvitation, type QuickInvitationDeps } from "./quick-invitation.ts";

/** Every address of the console begins with one of these; the page itself knows the rest. */
export const consolePlaces = [
  ...["login", "password", "tickets", "meetings", "messages", "statistics", "dashboard"],
  ...["settings", "platform", "search", "agent"],
] as const;

export type PagesDeps = QuickInvitationDeps &
  Readonly<{
    /** Only on set-ups for development: a page that plays somebody else's system. */
    hasLoaderDemo?: boolean;
  }>;

type Place = [paths: string[], handler: RequestHandler];

const show =
  (built: BuiltPages, page: string, frameAncestors: readonly string[] = []): RequestHandler =>
  (_request, response) =>
    sendBuiltPage(response, { built, page }, { frameAncestors });

/** Files with a hash in their name are kept for a year; the others are asked for again each time. */
const forEver = "public, max-age=31536000, immutable";
const askAgain = "no-cache";

/** Built files whose name says nothing of their content, at the root of the build. */
const namedFiles = ["/theme.js", "/loaderAgent.js"];

export const createPagesRouter = (deps: PagesDeps): Router => {
  const { built, hasLoaderDemo = false } = deps;
  const router = Router();
  const demo: Place = [["/loader-demo"], show(built, "loader-demo", ["'self'"])];
  const places: Place[] = [
    [["/assets/:file"], serveBuiltFile(built, { folder: "assets/", cacheControl: forEver })],
    [namedFiles, serveBuiltFile(built, { folder: "", cacheControl: askAgain })],
    [["/loader/:file"], serveBuiltFile(built, { folder: "loader/", cacheControl: askAgain })],
    [consolePlaces.flatMap((place) => [`/${place}`, `/${place}/*rest`]), show(built, "console")],
    [["/quick-invitation"], showQuickInvitation(deps)],
    [["/i/:code"], show(built, "information")],
    // Its agent module puts the page into a frame of itself during a call.
    ...(hasLoaderDemo ? [demo] : []),
  ];
  for (const [paths, handler] of places) {
    router.get(paths, handler);
    router.all(paths, refuseOtherMethods("GET, HEAD"));
  }
  return router;
};
