/** Serves the three kinds of operations, from authentication to the handler's answer. */
import type { Request } from "express";
import { mergeProblems, fieldProblemOf } from "../contracts/problems.ts";
import { clientNetwork } from "../platform/net/client-network.ts";
import {
  type Authenticated,
  authorize,
  authorizeGuest,
  badToken,
  bearerToken,
  noToken,
  requireOwnTicket,
  requireTicketRoute,
} from "./authorize.ts";
import { authenticateBrowser, sessionIdsOf } from "./browser-session.ts";
import {
  checkAccept,
  applyRateLimit,
  findOperation,
  reserveUpload,
  type ApiRouterDeps,
  type RequestContext,
  type ApiOperation,
} from "./request-context.ts";
import { AlreadyAnswered, hashRequest, parseIdempotencyKey } from "./idempotency.ts";
import { limitHeaders } from "./rate-limit.ts";
import { queryOf, readInput } from "./read-input.ts";
import type { Answer, ApiRequest, GuestRoute, PublicRoute, Route } from "./route.ts";
import { type Input, RejectedInput } from "./validate.ts";

type MatchedRoute<R> = { context: RequestContext; operation: ApiOperation; route: R };

/** Serves the operation of a call. Throws the problem if it cannot be answered. */
export async function serveOperation(
  deps: ApiRouterDeps,
  context: RequestContext,
): Promise<{ operation: ApiOperation; answer: Answer }> {
  const operation = findOperation(context);
  const { route } = operation;
  context.record.operation = route;
  checkAccept(context.request, route);
  switch (route.permission) {
    case "public":
      return { operation, answer: await servePublic(deps, { context, operation, route }) };
    case "guest":
      return { operation, answer: await serveGuest(deps, { context, operation, route }) };
    default:
      return { operation, answer: await serveUser(deps, { context, operation, route }) };
  }
}

async function servePublic(
  deps: ApiRouterDeps,
  { context, operation, route }: MatchedRoute<PublicRoute>,
): Promise<Answer> {
  const { request, response } = context;
  const network = clientNetwork(request.ip);
  if (route.isSignIn === true) {
    return serveSignIn(deps, { context, operation, route }, network);
  }
  await applyRateLimit(deps, route, { key: network, response });
  return route.handle({ clientNetwork: network, ...(await readRequest(context, operation)) });
}

/** Counts the call before its body is read, and refunds it on success. */
async function serveSignIn(
  { limits }: ApiRouterDeps,
  { context, operation, route }: MatchedRoute<PublicRoute>,
  network: string,
): Promise<Answer> {
  const { response } = context;
  const verdict = await limits[route.limit].take(network);
  response.set(limitHeaders(verdict));
  const answer = await route.handle({
    clientNetwork: network,
    ...(await readRequest(context, operation)),
    ...(verdict.isAllowed ? {} : { overLimit: verdict }),
  });
  if (verdict.isAllowed) {
    limits[route.limit].refund(network);
    response.set(limitHeaders({ ...verdict, remaining: verdict.remaining + 1 }));
  }
  return answer;
}

async function serveGuest(
  deps: ApiRouterDeps,
  { context, operation, route }: MatchedRoute<GuestRoute>,
): Promise<Answer> {
  const { request, response, record } = context;
  const guest = await identify(request, deps.verifyRoomToken);
  record.caller = guest;
  const network = clientNetwork(request.ip);
  const key = route.limit === "guest" ? network : `${guest.conversationId} ${guest.participant}`;
  await applyRateLimit(deps, route, { key, response });
  authorizeGuest(guest, route);
  const { enterpriseId, conversationId, participant } = guest;
  const sender = { enterpriseId, person: `${conversationId} ${participant}` };
  reserveUpload(deps, { route, context }, sender);
  return route.handle({
    guest,
    clientNetwork: network,
    ...(await readRequest(context, operation)),
  });
}

async function serveUser(
  deps: ApiRouterDeps,
  { context, operation, route }: MatchedRoute<Route>,
): Promise<Answer> {
  const { request, response, record } = context;
  const authenticated = await identifyUser(deps, request);
  const { caller } = authenticated;
  requireTicketRoute(caller, route);
  record.caller = caller;
  await applyRateLimit(deps, route, { key: String(caller.userId), response });
  const reach = authorize(authenticated, route);
  const { enterpriseId, userId } = caller;
  reserveUpload(deps, { route, context }, { enterpriseId, person: `user ${userId}` });
  const input = await readUserRequest({ caller, reach }, { context, operation, route });
  await requireOwnTicket(deps, route, input);
  return runHandler(deps, route, input);
}

/** Authenticates by token, else by cookie. The cookie is ignored if a token is sent. */
async function identifyUser(
  { authenticate, sessions, baseUrl }: ApiRouterDeps,
  request: Request,
): Promise<Authenticated> {
  const ids =
    request.get("authorization") === undefined ? sessionIdsOf(request.get("cookie"), baseUrl) : [];
  if (sessions === undefined || ids.length === 0) {
    return identify(request, authenticate);
  }
  const header = (name: string) => request.get(name);
  const origin = { baseUrl, header, isAlias: sessions.isAlias };
  return authenticateBrowser(sessions, origin, { ids, method: request.method });
}

async function identify<Who>(
  request: Request,
  find: (token: string) => Promise<Who | undefined>,
): Promise<Who> {
  const token = bearerToken(request.get("authorization"));
  if (token === undefined) {
    throw noToken();
  }
  const identity = await find(token);
  if (identity === undefined) {
    throw badToken();
  }
  return identity;
}

/** Runs the handler, at most once per `Idempotency-Key`. */
async function runHandler(
  { idempotency }: ApiRouterDeps,
  route: Route,
  apiRequest: ApiRequest,
): Promise<Answer> {
  const header = apiRequest.header("idempotency-key");
  if (route.isIdempotent !== true || header === undefined) {
    return route.handle(apiRequest);
  }
  const key = parseIdempotencyKey(header);
  const { caller, params, query, body } = apiRequest;
  const requestHash = hashRequest(route.operationId, { params, query, body });
  const keyed = { caller, key, requestHash };
  const earlier = await idempotency.find(keyed);
  if (earlier !== undefined) {
    return earlier;
  }
  try {
    return await route.handle({ ...apiRequest, idempotency: idempotency.reservation(keyed) });
  } catch (thrown) {
    if (thrown instanceof AlreadyAnswered) {
      return thrown.answer;
    }
    throw thrown;
  }
}

type Authorized = Pick<ApiRequest, "caller" | "reach">;

/**
 * The validated input of a signed-in caller. If some fields are invalid, the references of the
 * valid ones are checked too, so that one answer names all errors.
 */
async function readUserRequest(
  { caller, reach }: Authorized,
  { context, operation, route }: MatchedRoute<Route>,
): Promise<ApiRequest> {
  try {
    return { caller, reach, ...(await readRequest(context, operation)) };
  } catch (thrown) {
    if (!(thrown instanceof RejectedInput) || thrown.validInput === undefined) {
      throw thrown;
    }
    const request = { caller, reach, ...toRequest(context, thrown.validInput) };
    const more = await fieldProblemOf(() => route.alsoCheck?.(request));
    throw more === undefined ? thrown : mergeProblems([thrown, more]);
  }
}

/** The validated input. */
async function readRequest(context: RequestContext, operation: ApiOperation) {
  const { raw, payload } = await readInput(context, operation.route, context.match.rawParams);
  return { ...toRequest(context, operation.validate(raw)), ...payload };
}

/** The input, and the facts that every handler gets in addition to it. */
function toRequest({ request, record }: RequestContext, { params, query, body }: Input) {
  return {
    params,
    query,
    body,
    requestId: record.requestId,
    url: urlOf(request),
    header: (name: string) => request.get(name),
  };
}

/** Path and query. Clients may send an absolute URL, whose host cannot be trusted. */
function urlOf(request: Request): string {
  const query = queryOf(request.url);
  return `${request.baseUrl}${request.path}${query === "" ? "" : `?${query}`}`;
}
