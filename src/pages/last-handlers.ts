/**
 * Answers unknown paths and errors outside the API. The API router answers everything below `/api`
 * itself.
 */
import { randomUUID } from "node:crypto";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import { problem, type Problem } from "../contracts/problems.ts";
import type { Logger } from "../platform/logger.ts";
import { sendProblem } from "../http/answer.ts";
import { toLoggableError, toProblem } from "../http/problems.ts";
import { sendProblemPage } from "./problem-pages.ts";
import { securityHeaders } from "../http/http-server.ts";

export type LastHandlersDeps = {
  /** Public address, without a trailing slash. */
  baseUrl: string;
  log: Pick<Logger, "warn" | "error">;
};

type ReportedFault = { fault: Problem; requestId: string };

const rejectUnknownPath: RequestHandler = () => {
  throw problem("not_found", "The path was not found.");
};

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

/** A problem, or for browsers a page. */
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

/** Mounted behind the handlers of a path: the methods that they left. */
export function rejectOtherMethods(allow: string): RequestHandler {
  return (request) => {
    throw problem("method_not_allowed", `The path has no operation for ${request.method}.`, {
      headers: { Allow: allow },
    });
  };
}
