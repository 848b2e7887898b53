import type { RequestHandler } from "express";
import { consolePaths } from "./routes.ts";

export type ObservePage = (observation: { route: string; status: number }) => void;

/** By the first segment of a path, the label of its requests. Labels are bounded: no ids or secrets. */
const routes: ReadonlyMap<string, string> = new Map([
  ...["attachments", "s", "v", "m", "x", "i", "e", "quick-invitation"].map(
    (segment): [string, string] => [segment, `/${segment}`],
  ),
  ...consolePaths.map((segment): [string, string] => [segment, "console"]),
  ["", "/"],
]);

/** The client or the proxy gave up before the answer: nginx's status for that. */
const noAnswer = 499;

/**
 * Reports each request for a page or an attachment when it ended. Unknown paths and the files of the
 * build are left out: they would hide the share of errors.
 */
export function observePages(observe: ObservePage): RequestHandler {
  return ({ path }, response, next) => {
    const route = routes.get(path.split("/", 2)[1] ?? "");
    if (route !== undefined) {
      response.once("close", () => {
        observe({ route, status: response.headersSent ? response.statusCode : noAnswer });
      });
    }
    next();
  };
}
