/**
 * The REST API, built from the declared routes. Every call passes these steps in order: path (404)
 * → method (405) → Accept (406) → token or cookie (401, 403) → rate limit (429) → family and role
 * (403) → body (413, 415, 400) → schema (400) → idempotency (409) → handler. The rate limit comes
 * before everything that can be brute-forced and before all expensive work. Public operations skip
 * token, family and role; they are limited by client address. Operations for guests have a room
 * token and a room role instead.
 */
import express, { type Request, type Response, type Router } from "express";
import { problem, problemCatalogue, type Problem } from "../contracts/problems.ts";
import { toError } from "../platform/errors.ts";
import { sendAnswer, sendProblem, toLoggableError, toProblem, problemBody } from "./answer.ts";
import {
  type ApiRouterDeps,
  type RequestContext,
  type ApiOperation,
  createRecord,
  recordWhenDone,
  type RequestRecord,
} from "./request-context.ts";
import { createApiDocs } from "./openapi/document.ts";
import { createPathTable, type PathMatch } from "./path-table.ts";
import { createTenantSemaphore } from "../platform/concurrency/limiters.ts";
import { securityHeaders } from "./http-server.ts";
import { serveOperation } from "./serve-route.ts";
import { createValidators } from "./validate.ts";

export type { ApiRouterDeps } from "./request-context.ts";

/** Concurrent uploads in one process; `perUser` is per user or room participant. */
const uploadLimits = { perUser: 12, perTenant: 100, total: 300 };

/**
 * Serves the routes and their description under `/api`, `/api/v2` and `/api/v3`. Other paths are
 * passed on.
 */
export function createApiRouter(input: ApiRouterDeps): Router {
  const deps = { uploads: createTenantSemaphore(uploadLimits), ...input };
  const compile = createValidators();
  const find = createPathTable<ApiOperation>(
    deps.routes.map((route) => ({
      method: route.method,
      path: route.path,
      ...(route.aliases === undefined ? {} : { aliases: route.aliases }),
      route,
      validate: compile(route),
    })),
  );
  const router = express.Router({ caseSensitive: true });
  router.use("/api", createApiDocs(deps));
  router.use("/api", securityHeaders(), handleWith(deps, find));
  return router;
}

function handleWith(
  deps: ApiRouterDeps,
  find: (path: string) => PathMatch<ApiOperation> | undefined,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const record = createRecord(request);
    recordWhenDone(record, { request, response }, { log: deps.log, observe: deps.observe });
    response.set({ "X-Request-Id": record.requestId, "Cache-Control": "no-store" });
    const match = find(request.path);
    try {
      if (match === undefined) {
        throw problem("not_found", "The path is not part of the API.");
      }
      record.route = match.path;
      await answerWith(deps, { request, response, record, match, cleanups: [] });
    } catch (thrown) {
      sendFault(deps, { response, record }, thrown);
    }
  };
}

async function answerWith(deps: ApiRouterDeps, context: RequestContext): Promise<void> {
  try {
    const { operation, answer } = await serveOperation(deps, context);
    deps.checkAnswer?.({ route: operation.route, answer });
    await sendAnswer(context.response, answer);
  } finally {
    await Promise.all(context.cleanups.map((act) => act()));
  }
}

type PendingResponse = Pick<RequestContext, "response" | "record">;

function sendFault(
  deps: ApiRouterDeps,
  { response, record }: PendingResponse,
  thrown: unknown,
): void {
  logFault(deps.log, record, thrown);
  if (response.headersSent) {
    response.destroy(); // too late for a problem: a truncated answer must not look complete
    return;
  }
  const fault = checkProblem(deps, record, toProblem(thrown));
  record.code = problemCatalogue[fault.kind].code;
  sendProblem(response, fault, contextOf(deps, record));
}

function logFault(log: ApiRouterDeps["log"], record: RequestRecord, thrown: unknown): void {
  const { requestId, route } = record;
  const { kind, cause } = toProblem(thrown);
  if (kind === "internal") {
    log.error({ requestId, route, err: toLoggableError(cause ?? thrown) }, "request.failed");
  } else if (kind === "dependency_down") {
    log.warn({ requestId, route, err: toLoggableError(cause ?? thrown) }, "request.unavailable");
  }
}

/** For tests: replaces a problem that the API description does not list. */
function checkProblem(deps: ApiRouterDeps, record: RequestRecord, fault: Problem): Problem {
  if (deps.checkAnswer === undefined) {
    return fault;
  }
  try {
    const body = problemBody(fault, contextOf(deps, record));
    deps.checkAnswer({ route: record.operation, problem: body });
    return fault;
  } catch (thrown) {
    return problem("internal", toError(thrown).message);
  }
}

function contextOf({ baseUrl }: ApiRouterDeps, { requestId, route }: RequestRecord) {
  return {
    baseUrl,
    requestId,
    isOauth: route === "/token",
  };
}
