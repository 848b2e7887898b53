/** The context of one call, and the steps that all kinds of operations share. */
import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { problem, type Problem, problemCatalogue } from "../contracts/problems.ts";
import type { TenantSemaphore } from "../platform/concurrency/limiters.ts";
import { toError } from "../platform/errors.ts";
import { isUuid } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import {
  problemBody,
  type ProblemBody,
  sendProblem,
  toLoggableError,
  toProblem,
} from "./answer.ts";
import type { Authenticated } from "./authorize.ts";
import type { BrowserSessions } from "./browser-session.ts";
import type { Idempotency } from "./idempotency.ts";
import type { Limits } from "./limits.ts";
import type { DescribedWebhook } from "./openapi/components.ts";
import { limitHeaders, rateLimited } from "./rate-limit.ts";
import { type Answer, type AnyRoute, type Guest, type Method, takesFiles } from "./route.ts";
import type { Input, RawInput } from "./validate.ts";

export type ApiRouterDeps = {
  routes: readonly AnyRoute[];
  /** The owner of a valid token. Called for every request; caches know of revocations. */
  authenticate: (token: string) => Promise<Authenticated | undefined>;
  /** Authenticates cookies of our own pages. Absent: cookies are ignored. */
  sessions?: BrowserSessions;
  /** The guest of a valid room token. */
  verifyRoomToken: (token: string) => Promise<Guest | undefined>;
  limits: Pick<Limits, AnyRoute["limit"]>;
  idempotency: Idempotency;
  /** For sessions that reach one ticket: the ticket of a file. */
  findTicketOfMedia?: (enterpriseId: number, mediaId: number) => Promise<number | undefined>;
  /** Limits concurrent uploads. Absent: the production limits. */
  uploads?: TenantSemaphore;
  /** Public address, without a trailing slash. */
  baseUrl: string;
  /** For the OpenAPI document: the requests that receivers get. */
  webhooks?: readonly DescribedWebhook[];
  log: Pick<Logger, "info" | "warn" | "error">;
  observe?: ObserveRequest;
  /** For tests: throws if an answer does not match the OpenAPI document. */
  checkAnswer?: CheckAnswer;
};

export type ApiOperation = {
  method: Method;
  path: string;
  aliases?: readonly string[];
  route: AnyRoute;
  validate: (input: RawInput) => Input;
};

/** The operations of a path. */
export type PathMatch<R> = {
  /** As declared, whatever form the client used. */
  path: string;
  methods: ReadonlyMap<Method, R>;
  /** Segments of the path as the client wrote them, not decoded yet. */
  rawParams: Readonly<Record<string, string>>;
};

export type RequestContext = {
  request: Request;
  response: Response;
  record: RequestRecord;
  match: PathMatch<ApiOperation>;
  /** Run after every answer. */
  cleanups: (() => Promise<void>)[];
};

export function findOperation({
  request,
  match,
}: Pick<RequestContext, "request" | "match">): ApiOperation {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const operation = match.methods.get(method as Method);
  if (operation === undefined) {
    const allowed = [...match.methods.keys()].flatMap((m) => (m === "GET" ? [m, "HEAD"] : [m]));
    throw problem("method_not_allowed", `The path has no operation for ${request.method}.`, {
      headers: { Allow: allowed.join(", ") },
    });
  }
  return operation;
}

/**
 * JSON is always accepted, even by operations that answer files: their errors are JSON. The type of
 * an uploaded file is known only later, so its download accepts everything.
 */
export function checkAccept(request: Request, { answer }: Pick<AnyRoute, "answer">): void {
  const produced = answer.produces ?? [];
  if (produced.includes("*/*")) {
    return;
  }
  if (!request.accepts(["application/json", "application/problem+json", ...produced])) {
    const types = ["JSON", ...produced].join(" or ");
    throw problem("not_acceptable", `The Accept header must allow ${types}.`);
  }
}

/** Sets the X-RateLimit headers on every later answer, including errors. */
export async function applyRateLimit(
  { limits }: Pick<ApiRouterDeps, "limits">,
  { limit }: Pick<AnyRoute, "limit">,
  { key, response }: { key: string; response: Response },
): Promise<void> {
  const verdict = await limits[limit].take(key);
  if (!verdict.isAllowed) {
    throw rateLimited(verdict);
  }
  response.set(limitHeaders(verdict));
}

const retryAfterSeconds = 5;

/**
 * An upload may occupy disk or memory for 15 minutes, so concurrent uploads are
 * limited. `person` is a key that is unique in the enterprise.
 */
export function reserveUpload(
  { uploads }: Pick<ApiRouterDeps, "uploads">,
  { route, context }: { route: AnyRoute; context: RequestContext },
  { enterpriseId, person }: { enterpriseId: number; person: string },
): void {
  if (uploads === undefined || !takesFiles(route)) {
    return;
  }
  const release = uploads.tryAcquire(enterpriseId, person);
  if (release === undefined) {
    throw problem("rate_limited", "Too many concurrent uploads. Try again in a few seconds.", {
      headers: { "Retry-After": String(retryAfterSeconds) },
    });
  }
  context.cleanups.push(async () => release());
}

/** The facts about a request for its log line and its metrics, filled in step by step. */
type RequestRecord = {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The pattern, never the path: paths contain ids and secrets, and would multiply the metrics. */
  route: string;
  operation: AnyRoute | undefined;
  caller: Readonly<{ userId: number | null; enterpriseId: number }> | undefined;
  /** The problem's code, if the request failed. */
  code: number | undefined;
};

export type ObserveRequest = (observation: {
  method: string;
  route: string;
  status: number;
  seconds: number;
}) => void;

export function createRecord(request: Request): RequestRecord {
  return {
    requestId: requestIdOf(request.get("x-request-id")),
    startedAtMs: performance.now(),
    route: "unknown",
    operation: undefined,
    caller: undefined,
    code: undefined,
  };
}

/** A client's request id is kept if it is a UUID, so that the client can quote it. */
function requestIdOf(header: string | undefined): string {
  return header !== undefined && isUuid(header) ? header.toLowerCase() : randomUUID();
}

/** Other methods share one metric label, because clients can invent any number. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** Logs one line when the answer was sent or the client disconnected; without the query string. */
export function recordWhenDone(
  record: RequestRecord,
  { request, response }: { request: Request; response: Response },
  { log, observe }: { log: Pick<Logger, "info">; observe: ObserveRequest | undefined },
): void {
  response.once("close", () => {
    const ms = performance.now() - record.startedAtMs;
    const method = methods.has(request.method) ? request.method : "other";
    const status = response.statusCode;
    observe?.({ method, route: record.route, status, seconds: ms / 1000 });
    log.info(
      {
        requestId: record.requestId,
        method,
        route: record.route,
        status,
        ms: Math.round(ms * 10) / 10,
        ...(record.code === undefined ? {} : { code: record.code }),
        ...(record.caller === undefined
          ? {}
          : { userId: record.caller.userId, enterpriseId: record.caller.enterpriseId }),
        ...(response.writableFinished ? {} : { isAborted: true }),
      },
      "request.answered",
    );
  });
}

/** An answer before it is sent. A problem without a route: the path is unknown. */
export type CheckedAnswer =
  | Readonly<{ route: AnyRoute; answer: Answer }>
  | Readonly<{ route: AnyRoute | undefined; problem: ProblemBody }>;

export type CheckAnswer = (checked: CheckedAnswer) => void;

type PendingResponse = Pick<RequestContext, "response" | "record">;

/** Answers a failed call with a problem. */
export function sendFault(
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
