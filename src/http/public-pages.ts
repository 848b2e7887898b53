import { Router, type RequestHandler, type Response } from "express";
import { problem, problemCatalogue, type ProblemKind } from "../contracts/problems.ts";
import { escapeHtml, sendPlainPage } from "./plain-page.ts";
import { problemType } from "./problem-body.ts";
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
  headers_too_large:
    "The request line and the headers are larger than the server reads. Send long fields in the body instead of the query.",
};

export const defaultAvatarPath = "/avatars/default.svg";

const avatar = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<rect width="64" height="64" fill="#d5dbe3"/><circle cx="32" cy="25" r="11" fill="#8593a6"/>
<path d="M10 60a22 20 0 0 1 44 0z" fill="#8593a6"/></svg>
`;

/** What the API's answers link to: the pages of the problem types, and the default portrait. */
export function createPublicPages({ baseUrl }: { baseUrl: string }): Router {
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
}

const kinds = Object.keys(problemCatalogue) as ProblemKind[];

function showProblem(baseUrl: string): RequestHandler {
  return (request, response) => {
    const kind = kinds.find((name) => problemCatalogue[name].slug === request.params["slug"]);
    if (kind === undefined) {
      throw problem("not_found", "There is no such problem.");
    }
    const { code, status, title } = problemCatalogue[kind];
    response.vary("Accept");
    if (request.accepts(["html", "json"]) === "json") {
      const type = problemType(baseUrl, kind);
      response.json({ type, title, status, code, help: problemHelp[kind] });
    } else {
      sendHelpPage(response, kind);
    }
  };
}

function sendHelpPage(response: Response, kind: ProblemKind): void {
  const { code, status, title } = problemCatalogue[kind];
  const main = `<p>${escapeHtml(problemHelp[kind])}</p>
<p class="note">Status ${status}, code ${code}.</p>
<a href="/api/docs">Read the description of the API</a>`;
  sendPlainPage(response, { language: "en", title, main });
}
