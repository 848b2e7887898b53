/** The pages that people open, and the files that they load. */
import { Router, type RequestHandler } from "express";
import { serveBuiltFile } from "./assets.ts";
import type { BuiltPages } from "./built.ts";
import { sendBuiltPage } from "./page.ts";

/** Every address of the console begins with one of these; the page itself knows the rest. */
export const consolePlaces = [
  ...["login", "password", "tickets", "meetings", "messages", "statistics", "dashboard"],
  ...["settings", "platform", "search", "agent"],
] as const;

export type PagesDeps = Readonly<{ built: BuiltPages }>;

const showConsole =
  ({ built }: PagesDeps): RequestHandler =>
  (_request, response) =>
    sendBuiltPage(response, { built, page: "console" });

/** Files with a hash in their name are kept for a year; the others are asked for again each time. */
const forEver = "public, max-age=31536000, immutable";
const askAgain = "no-cache";

export const createPagesRouter = (deps: PagesDeps): Router => {
  const { built } = deps;
  const router = Router();
  const files = { folder: "assets/", cacheControl: forEver };
  router.get("/assets/:file", serveBuiltFile(built, files));
  router.get("/theme.js", serveBuiltFile(built, { folder: "", cacheControl: askAgain }));
  router.get(
    consolePlaces.flatMap((place) => [`/${place}`, `/${place}/*rest`]),
    showConsole(deps),
  );
  return router;
};
