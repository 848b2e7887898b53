/**
 * Answers unknown paths and errors outside the API: a problem for programs, an HTML page in the
 * reader's language for browsers. The pages are self-contained, because nothing else may be
 * loadable. The API router answers everything below `/api` itself.
 */
import {
  type Request,
  type Response,
  Router,
  type RequestHandler,
  type ErrorRequestHandler,
} from "express";
import {
  problemCatalogue,
  type Problem,
  type ProblemKind,
  problem,
} from "../contracts/problems.ts";
import { defaultAvatarPath } from "../contracts/directory.ts";
import { pageLanguages, problemPageTexts, type PageLanguage } from "./problem-page-texts.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { problemType, sendProblem, toLoggableError, toProblem } from "../http/answer.ts";
import { securityHeaders } from "../http/http-server.ts";
import type { Logger } from "../platform/logger.ts";

type TextName = Exclude<keyof (typeof problemPageTexts)["en"], "home">;

/** What a client can do about each problem. */
const problemHelp: Record<ProblemKind, string> = {
  internal:
    "The service failed. The error was logged with the ID in `instance`: give this ID to support.",
  dependency_down:
    "A dependency of the service does not respond. Retry after `Retry-After` seconds.",
  no_token: "The request needs the header `Authorization: Bearer <token>`.",
  bad_token: "The token is unknown, expired or revoked. Get a new one from `/api/token`.",
  bad_login: "The login does not exist or is deactivated, or the password is wrong.",
  forbidden: "The role of the account lacks the permission named in `details`.",
  csrf: "The request came from another site, or without the CSRF token of the page.",
  not_found: "The object does not exist, is deleted, or belongs to another enterprise.",
  missing_parameter: "A required field is missing. `errors` lists all invalid fields.",
  invalid_parameter:
    "A field is invalid. `errors` lists all invalid fields, each with a stable reason.",
  conflict:
    "The state of the object does not allow the operation, or the operation was already done.",
  rate_limited: "Too many requests. Retry after `Retry-After` seconds.",
  too_large: "The body is larger than 256 KB, or the file exceeds the limit of its type.",
  unsupported_media_type: "The operation does not accept the type of the body. Send JSON.",
  method_not_allowed: "The path does not support this method. `Allow` lists the supported methods.",
  quota_reached: "The enterprise has used up its quota.",
  gone: "The link or the room has expired, permanently.",
  feature_off: "The enterprise or the account has no subscription to this part of the service.",
  not_acceptable: "Responses are JSON. `Accept` must allow `application/json`.",
  headers_too_large:
    "The request line and the headers are too large. Send long fields in the body instead of the query.",
};

export type LastHandlersDeps = {
  /** Public address, without a trailing slash. */
  baseUrl: string;
  log: Pick<Logger, "warn" | "error">;
};

type ReportedFault = { fault: Problem; requestId: string };

const avatar = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<rect width="64" height="64" fill="#d5dbe3"/><circle cx="32" cy="25" r="11" fill="#8593a6"/>
<path d="M10 60a22 20 0 0 1 44 0z" fill="#8593a6"/></svg>
`;

/** The pages that API answers link to: problem types, and the default avatar. */
export function createPublicPages({ baseUrl }: { baseUrl: string }): Router {
  const router = Router();
  router.get("/problems/:slug", securityHeaders(), showProblem(baseUrl));
  router.get(defaultAvatarPath, securityHeaders(), (_request, response) => {
    response
      .set("Cache-Control", "public, max-age=86400")
      .set("Cross-Origin-Resource-Policy", "cross-origin") // customers embed it in their own pages
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
      throw problem("not_found", "The problem type was not found.");
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
<a href="/api/docs">Read the API documentation</a>`;
  sendPlainPage(response, { language: "en", title, main });
}

function rejectUnknownPath(): never {
  throw problem("not_found", "The path was not found.");
}

/** Mounted last: a problem, or a page for browsers; never internal details. */
export function createLastHandlers(deps: LastHandlersDeps): [RequestHandler, ErrorRequestHandler] {
  return [rejectUnknownPath, answerFault(deps)];
}

function answerFault(deps: LastHandlersDeps): ErrorRequestHandler {
  const secure = securityHeaders();
  return (thrown: unknown, request, response, next) => {
    const reported = { fault: toProblem(thrown), requestId: randomUUID() };
    logFault(deps, reported);
    if (response.headersSent) {
      next(thrown); // too late for an answer: Express ends the connection
      return;
    }
    secure(request, response, () => answerProblem({ request, response }, deps, reported));
  };
}

function logFault({ log }: LastHandlersDeps, { fault, requestId }: ReportedFault): void {
  const record = { requestId, err: toLoggableError(fault.cause ?? fault) };
  if (fault.kind === "internal") {
    log.error(record, "request.failed");
  } else if (fault.kind === "dependency_down") {
    log.warn(record, "request.unavailable");
  }
}

/** A problem for programs, a page for browsers. */
function answerProblem(
  { request, response }: { request: Request; response: Response },
  { baseUrl }: Pick<LastHandlersDeps, "baseUrl">,
  { fault, requestId }: ReportedFault,
): void {
  response.set({ "X-Request-Id": requestId, "Cache-Control": "no-store" }).vary("Accept");
  if (request.accepts(["json", "html"]) === "html") {
    sendProblemPage(request, response, { fault, requestId });
  } else {
    sendProblem(response, fault, { baseUrl, requestId, isOauth: false });
  }
}

/** With the status and the headers of the problem. */
function sendProblemPage(
  request: Request,
  response: Response,
  { fault, requestId }: Readonly<{ fault: Problem; requestId: string }>,
): void {
  const language = languageOf(request);
  response
    .status(problemCatalogue[fault.kind].status)
    .set(fault.headers)
    .set("Cache-Control", "no-store")
    .vary("Accept-Language");
  const content = contentOf({ fault, requestId, language });
  sendPlainPage(response, { language, ...content });
}

function languageOf(request: Request): PageLanguage {
  return (
    pageLanguages.find((language) => language === request.acceptsLanguages(pageLanguages)) ?? "en"
  );
}

type ProblemPageInput = Readonly<{
  fault: Problem;
  requestId: string;
  language: PageLanguage;
}>;

function contentOf({ fault, requestId, language }: ProblemPageInput): {
  title: string;
  main: string;
} {
  const texts = problemPageTexts[language];
  const name = textNameOf(fault);
  const { title, text } = texts[name];
  // Other details are in English, like in the API.
  const hasDetail = name === "refused";
  const detail = hasDetail ? `<p class="note" lang="en">${escapeHtml(fault.message)}</p>` : "";
  const id = name === "failed" ? `<p class="note"><code>${escapeHtml(requestId)}</code></p>` : "";
  return { title, main: `<p>${text}</p>\n${detail}${id}<a href="/">${texts.home}</a>` };
}

const textNames: Partial<Record<ProblemKind, TextName>> = {
  not_found: "notFound",
  rate_limited: "rateLimited",
  internal: "failed",
  dependency_down: "failed",
};

/** The `details` of a 410 that say why a link has ended. */
const endTextNames: Readonly<Record<string, TextName>> = {
  "Reason cancelled": "cancelled",
  "Reason closed": "ended",
  "Reason ended": "ended",
  "Reason deleted": "deleted",
};

function textNameOf({ kind, details = "" }: Problem): TextName {
  if (kind === "gone") {
    return endTextNames[details] ?? "gone";
  }
  return textNames[kind] ?? "refused";
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f9, #0e1116);
  color: light-dark(#1a1f27, #e4e8ee); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { box-sizing: border-box; width: min(480px, 100vw - 32px); padding: 28px; border-radius: 10px;
  border: 1px solid light-dark(#dde1e7, #29313c); background: light-dark(#ffffff, #151a21); }
.brand { display: flex; gap: 8px; align-items: center; margin: 0 0 20px; font-weight: 600; font-size: 14px; }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 16px; }
.note { color: light-dark(#596373, #96a1b1); font-size: 14px; overflow-wrap: anywhere; }
a { color: light-dark(#2457d6, #86a8ff); }
svg { fill: light-dark(#2457d6, #86a8ff); }`;

const mark =
  '<svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="7"/></svg>';

type PlainPage = Readonly<{
  language: string;
  title: string;
  /** HTML below the title. */
  main: string;
}>;

/** Sends a page with a policy that loads nothing. */
function sendPlainPage(response: Response, { language, title, main }: PlainPage): void {
  const nonce = randomBytes(16).toString("base64url");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  response.set("Content-Security-Policy", policy).type("html").send(`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<p class="brand">${mark}Sightline</p>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Mounted after the handlers of a path: rejects all other methods. */
export function rejectOtherMethods(allow: string): RequestHandler {
  return (request) => {
    throw problem("method_not_allowed", `The path has no operation for ${request.method}.`, {
      headers: { Allow: allow },
    });
  };
}
