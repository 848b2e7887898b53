/** One call of an operation, and the steps that every kind of operation has in common. */
import type { Request, Response } from "express";
import { problem } from "../contracts/problems.ts";
import type { Logger } from "../platform/logger.ts";
import type { Authenticated } from "./authorize.ts";
import type { BrowserSessions } from "./browser-session.ts";
import type { Idempotency } from "./idempotency.ts";
import { limitHeaders, rateLimited, type Limits } from "./limits.ts";
import type { DescribedWebhook } from "./openapi/webhooks.ts";
import type { PathMatch } from "./path-table.ts";
import { takesFiles } from "./read-input.ts";
import type { AnyRoute, Guest, Method, Answer } from "./route.ts";
import type { TenantSemaphore } from "../platform/concurrency/semaphore.ts";
import type { Input, RawInput } from "./validate.ts";
import { randomUUID } from "node:crypto";
import type { ProblemBody } from "./problems.ts";

export type ApiRouterDeps = {
  routes: readonly AnyRoute[];
  /** The owner of a token that is good at this moment. Asked on every call: revoking is instant. */
  authenticate: (token: string) => Promise<Authenticated | undefined>;
  /** For the cookies of our own pages. Absent: no cookie is looked at. */
  sessions?: BrowserSessions;
  /** Who a room token was made for, unless it is over or not ours. */
  verifyRoomToken: (token: string) => Promise<Guest | undefined>;
  limits: Pick<Limits, AnyRoute["limit"]>;
  idempotency: Idempotency;
  /** For files that are on their way here. Absent: as many as the API has in production. */
  uploads?: TenantSemaphore;
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** For the description of the API: what is sent to receivers. */
  webhooks?: readonly DescribedWebhook[];
  log: Pick<Logger, "info" | "warn" | "error">;
  observe?: ObserveRequest;
  /** For tests: throws where an answer is not what the description of the API says. */
  checkAnswer?: CheckAnswer;
};

export type ApiOperation = {
  method: Method;
  path: string;
  aliases?: readonly string[];
  route: AnyRoute;
  validate: (input: RawInput) => Input;
};

export type RequestContext = {
  request: Request;
  response: Response;
  record: RequestRecord;
  match: PathMatch<ApiOperation>;
  /** What must be done once the answer is out, whatever it is. */
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

/** JSON is always there, also for operations that answer files: their refusals are JSON. */
export function checkAccept(request: Request, { answer }: Pick<AnyRoute, "answer">): void {
  const produced = answer.produces ?? [];
  if (!request.accepts(["application/json", "application/problem+json", ...produced])) {
    const types = ["JSON", ...produced].join(" or ");
    throw problem("not_acceptable", `Answers are ${types}, which the Accept header excludes.`);
  }
}

/** From here on every answer says where the caller stands, refusals too. */
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
 * A file may take a quarter of an hour to come, and lies on the disk or in memory meanwhile: so
 * many are on their way at once. `who`: somebody of the enterprise.
 */
export function reserveUpload(
  { uploads }: Pick<ApiRouterDeps, "uploads">,
  { route, exchange }: { route: AnyRoute; exchange: RequestContext },
  { enterpriseId, who }: { enterpriseId: number; who: string },
): void {
  if (uploads === undefined || !takesFiles(route)) {
    return;
  }
  const release = uploads.tryAcquire(enterpriseId, who);
  if (release === undefined) {
    throw problem("rate_limited", "Too many files at once. Try again in a few seconds.", {
      headers: { "Retry-After": String(retryAfterSeconds) },
    });
  }
  exchange.cleanups.push(async () => release());
}

/** What is known of a request so far: the source of its one log line and of its metrics. */
export type RequestRecord = {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The pattern, never the path: paths hold ids and secrets, and would blow up the metrics. */
  route: string;
  operation: AnyRoute | undefined;
  caller: Readonly<{ userId: number | null; enterpriseId: number }> | undefined;
  /** The problem's code on refusals. */
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

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** A client's own request id is taken if it is a UUID, so that it can find its call in our log. */
function requestIdOf(header: string | undefined): string {
  return header !== undefined && uuid.test(header) ? header.toLowerCase() : randomUUID();
}

/** Methods outside this list would be labels that a client can invent. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** One line when the answer is out or the client gone. The query string is never part of it. */
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

/** What an operation is about to answer. A problem of no route: nothing is at the path. */
export type CheckedAnswer =
  | Readonly<{ route: AnyRoute; answer: Answer }>
  | Readonly<{ route: AnyRoute | undefined; problem: ProblemBody }>;

export type CheckAnswer = (told: CheckedAnswer) => void;
