import { randomUUID } from "node:crypto";
import { Router, type Request, type Response } from "express";
import { problem, problemCatalogue, type ProblemKind } from "../contracts/problems.ts";
import { problemBody, problemType } from "./problem-body.ts";
import { securityHeaders } from "./security-headers.ts";

/** What a client can do about each problem. */
const problemHelp: Record<ProblemKind, string> = {
  internal: "A fault of the service, recorded under the id in `instance`. Tell support that id.",
  dependency_down: "A part of the service does not answer. Repeat after `Retry-After` seconds.",
  no_token: "The call needs the header `Authorization: Bearer <token>`.",
  bad_token: "The token is unknown, expired or revoked. Get a new one from `/api/token`.",
  bad_login: "The login does not exist, is switched off, or the password is another one.",
  forbidden: "The role of the account lacks the permission named in `details`.",
  csrf: "The request came from another site, or without the page's token.",
  not_found: "The object does not exist, is deleted, or belongs to another enterprise.",
  missing_parameter: "A required field is missing. `errors` lists every fault of the request.",
  invalid_parameter: "A field cannot be accepted. `errors` names each with a stable reason.",
  conflict: "The state of the object does not allow the call, or it was done already.",
  rate_limited: "Too many calls. Go on after `Retry-After` seconds.",
  too_large: "The body is larger than 256 KB, or a file larger than its kind may be.",
  unsupported_media_type: "The body has a type that the operation does not take. Send JSON.",
  method_not_allowed: "The path exists, but not with this method. `Allow` lists those it has.",
  quota_reached: "The enterprise has used up its quota.",
  gone: "The link or the room is over and will not come back.",
  feature_off: "The enterprise or the account has no subscription to this part of the service.",
  not_acceptable: "Answers are JSON. `Accept` must allow `application/json`.",
};

const kinds = Object.keys(problemCatalogue) as ProblemKind[];

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const pageOf = (kind: ProblemKind): string => {
  const { title, status, code } = problemCatalogue[kind];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>Status ${status}, code ${code}.</p>
<p>${escapeHtml(problemHelp[kind])}</p>
</html>
`;
};

const showProblem = (baseUrl: string) => (request: Request, response: Response) => {
  const kind = kinds.find((name) => problemCatalogue[name].slug === request.params["slug"]);
  if (kind === undefined) {
    const context = { baseUrl, requestId: randomUUID(), isOauth: false };
    const body = problemBody(problem("not_found", "There is no such problem."), context);
    response.status(404).type("application/problem+json").send(JSON.stringify(body));
    return;
  }
  const { code, status, title } = problemCatalogue[kind];
  response.vary("Accept");
  if (request.accepts(["html", "json"]) === "json") {
    response.json({
      type: problemType(baseUrl, kind),
      title,
      status,
      code,
      help: problemHelp[kind],
    });
  } else {
    response.type("html").send(pageOf(kind));
  }
};

export const defaultAvatarPath = "/avatars/default.svg";

const avatar = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<rect width="64" height="64" fill="#d5dbe3"/><circle cx="32" cy="25" r="11" fill="#8593a6"/>
<path d="M10 60a22 20 0 0 1 44 0z" fill="#8593a6"/></svg>
`;

/** What the API's answers link to: the pages of the problem types, and the default portrait. */
export const createPublicPages = ({ baseUrl }: { baseUrl: string }): Router => {
  const router = Router();
  router.get("/problems/:slug", securityHeaders(), showProblem(baseUrl));
  router.get(defaultAvatarPath, securityHeaders(), (_request, response) => {
    response
      .set("Cache-Control", "public, max-age=86400")
      .set("Cross-Origin-Resource-Policy", "cross-origin") // shown on the customers' own pages
      .type("image/svg+xml")
      .send(avatar);
  });
  return router;
};
