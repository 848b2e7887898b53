/**
 * The REST interface, made from the routes' data. Every call passes the same steps, in this order:
 * path (404) → method (405) → Accept (406) → token (401) → rate limit (429) → family and role (403)
 * → body (413, 415, 400) → schema (400) → idempotency (409) → handler. The limit is taken before
 * anything that a caller could try without end, and before anything that costs work. Public
 * operations have no token, family and role; their limit is one of the client's address.
 */
import express, { type Request, type Response, type Router } from "express";
import { problem, problemCatalogue } from "../contracts/problems.ts";
import type { Logger } from "../platform/logger.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import { sendAnswer, sendProblem } from "./answer.ts";
import { authorize, badToken, bearerToken, noToken, type Authenticated } from "./authorize.ts";
import { describeError, toProblem } from "./faults.ts";
import { AlreadyAnswered, hashRequest, idempotencyKey, type Idempotency } from "./idempotency.ts";
import { limitHeaders, rateLimited, type Limits } from "./limits.ts";
import { createPathTable, type Match } from "./path-table.ts";
import { queryOf, readInput } from "./read-input.ts";
import {
  createRecord,
  recordWhenDone,
  type ObserveRequest,
  type RequestRecord,
} from "./request-record.ts";
import type { Answer, ApiRequest, Method, PublicRoute, Route } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";
import { createValidators, type Input, type RawInput } from "./validate.ts";

export type ApiRouterDeps = {
  routes: readonly (Route | PublicRoute)[];
  /** The owner of a token that is good at this moment. Asked on every call: revoking is instant. */
  authenticate: (token: string) => Promise<Authenticated | undefined>;
  limits: Pick<Limits, "api" | "events" | "tokenIp">;
  idempotency: Idempotency;
  /** Public address without a slash at the end. */
  baseUrl: string;
  log: Pick<Logger, "info" | "warn" | "error">;
  observe?: ObserveRequest;
};

type Operation = {
  method: Method;
  path: string;
  route: Route | PublicRoute;
  validate: (input: RawInput) => Input;
};

type Exchange = {
  request: Request;
  response: Response;
  record: RequestRecord;
  match: Match<Operation>;
};

const readFields = async ({ request, response, match }: Exchange, operation: Operation) =>
  operation.validate(await readInput({ request, response }, operation.route, match.rawParams));

const findOperation = ({ request, match }: Pick<Exchange, "request" | "match">): Operation => {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const operation = match.methods.get(method as Method);
  if (operation === undefined) {
    const allowed = [...match.methods.keys()].flatMap((m) => (m === "GET" ? [m, "HEAD"] : [m]));
    throw problem("method_not_allowed", `The path has no operation for ${request.method}.`, {
      headers: { Allow: allowed.join(", ") },
    });
  }
  return operation;
};

const checkAccept = (request: Request): void => {
  if (!request.accepts(["application/json", "application/problem+json"])) {
    throw problem("not_acceptable", "Answers are JSON, which the Accept header excludes.");
  }
};

const authenticateWith = async (
  authenticate: ApiRouterDeps["authenticate"],
  { request, record }: Exchange,
): Promise<Authenticated> => {
  const token = bearerToken(request.get("authorization"));
  if (token === undefined) {
    throw noToken();
  }
  const who = await authenticate(token);
  if (who === undefined) {
    throw badToken();
  }
  record.caller = who.caller;
  return who;
};

/** From here on every answer says where the caller stands, refusals too. */
const countCall = async (
  { limits }: ApiRouterDeps,
  { limit }: Pick<Route | PublicRoute, "limit">,
  { key, response }: { key: string; response: Response },
): Promise<void> => {
  const verdict = await limits[limit].take(key);
  if (!verdict.isAllowed) {
    throw rateLimited(verdict);
  }
  response.set(limitHeaders(verdict));
};

/** Path and query, also where the client sent the absolute form, whose host could be any. */
const urlOf = (request: Request): string => {
  const query = queryOf(request.url);
  return `${request.baseUrl}${request.path}${query === "" ? "" : `?${query}`}`;
};

/** Runs the handler, at most once per `Idempotency-Key`. */
const runHandler = async (
  { idempotency }: ApiRouterDeps,
  route: Route,
  { apiRequest, header }: { apiRequest: ApiRequest; header: string | undefined },
): Promise<Answer> => {
  const key = route.isIdempotent === true ? idempotencyKey(header) : undefined;
  if (key === undefined) {
    return route.handle(apiRequest);
  }
  const { caller, params, query, body } = apiRequest;
  const requestHash = hashRequest(route.operationId, { params, query, body });
  const keyed = { caller, key, requestHash };
  const earlier = await idempotency.find(keyed);
  if (earlier !== undefined) {
    return earlier;
  }
  try {
    return await route.handle({ ...apiRequest, idempotency: idempotency.ticket(keyed) });
  } catch (thrown) {
    if (thrown instanceof AlreadyAnswered) {
      return thrown.answer;
    }
    throw thrown;
  }
};

const answerWith = async (deps: ApiRouterDeps, exchange: Exchange): Promise<Answer> => {
  const { request, response, record } = exchange;
  const operation = findOperation(exchange);
  const { route } = operation;
  checkAccept(request);
  if (route.permission === "public") {
    const network = clientNetwork(request.ip);
    await countCall(deps, route, { key: network, response });
    const { body } = await readFields(exchange, operation);
    return route.handle({ body, requestId: record.requestId, clientNetwork: network });
  }
  const who = await authenticateWith(deps.authenticate, exchange);
  const { caller } = who;
  await countCall(deps, route, { key: String(caller.userId), response });
  const reach = authorize(who, route);
  const input = await readFields(exchange, operation);
  const apiRequest = { ...input, caller, reach, requestId: record.requestId, url: urlOf(request) };
  return runHandler(deps, route, { apiRequest, header: request.get("idempotency-key") });
};

const logFault = (log: ApiRouterDeps["log"], record: RequestRecord, thrown: unknown): void => {
  const { requestId, route } = record;
  const { kind, cause } = toProblem(thrown);
  if (kind === "internal") {
    log.error({ requestId, route, err: describeError(cause ?? thrown) }, "request.failed");
  } else if (kind === "dependency_down") {
    log.warn({ requestId, route, err: describeError(cause ?? thrown) }, "request.unavailable");
  }
};

const handleWith =
  (deps: ApiRouterDeps, find: (path: string) => Match<Operation> | undefined) =>
  async (request: Request, response: Response): Promise<void> => {
    const record = createRecord(request);
    const { requestId } = record;
    recordWhenDone(record, { request, response }, { log: deps.log, observe: deps.observe });
    response.set({ "X-Request-Id": requestId, "Cache-Control": "no-store" });
    const match = find(request.path);
    try {
      if (match === undefined) {
        throw problem("not_found", "The API has no such path.");
      }
      record.route = match.path;
      sendAnswer(response, await answerWith(deps, { request, response, record, match }));
    } catch (thrown) {
      logFault(deps.log, record, thrown);
      const fault = toProblem(thrown);
      record.code = problemCatalogue[fault.kind].code;
      const isOauth = record.route === "/token";
      sendProblem(response, fault, { baseUrl: deps.baseUrl, requestId, isOauth });
    }
  };

/** Serves the routes under `/api`, `/api/v2` and `/api/v3`; other paths pass by. */
export const createApiRouter = (deps: ApiRouterDeps): Router => {
  const compile = createValidators();
  const find = createPathTable<Operation>(
    deps.routes.map((route) => ({
      method: route.method,
      path: route.path,
      route,
      validate: compile(route),
    })),
  );
  const router = express.Router();
  router.use("/api", securityHeaders(), handleWith(deps, find));
  return router;
};
