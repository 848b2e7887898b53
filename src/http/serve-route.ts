/** The three kinds of operations, from the token to the handler's answer. */
import type { Request } from "express";
import { clientNetwork } from "../platform/net/client-network.ts";
import {
  authorize,
  authorizeGuest,
  badToken,
  bearerToken,
  noToken,
  type Authenticated,
} from "./authorize.ts";
import { authenticateBrowser, sessionIdsOf } from "./browser-session.ts";
import {
  checkAccept,
  countCall,
  findOperation,
  type ApiRouterDeps,
  type Exchange,
  type Operation,
} from "./exchange.ts";
import { AlreadyAnswered, hashRequest, idempotencyKey } from "./idempotency.ts";
import { queryOf, readInput } from "./read-input.ts";
import type { Answer, ApiRequest, GuestRoute, PublicRoute, Route } from "./route.ts";

/** Path and query, also where the client sent the absolute form, whose host could be any. */
const urlOf = (request: Request): string => {
  const query = queryOf(request.url);
  return `${request.baseUrl}${request.path}${query === "" ? "" : `?${query}`}`;
};

/** Everything that was sent, validated. */
const readSent = async (exchange: Exchange, operation: Operation) => {
  const { request, record, match } = exchange;
  const { raw, payload } = await readInput(exchange, operation.route, match.rawParams);
  return {
    ...operation.validate(raw),
    ...payload,
    requestId: record.requestId,
    url: urlOf(request),
    header: (name: string) => request.get(name),
  };
};

type Served<R> = { exchange: Exchange; operation: Operation; route: R };

const servePublic = async (
  deps: ApiRouterDeps,
  { exchange, operation, route }: Served<PublicRoute>,
): Promise<Answer> => {
  const { request, response } = exchange;
  const network = clientNetwork(request.ip);
  await countCall(deps, route, { key: network, response });
  return route.handle({ ...(await readSent(exchange, operation)), clientNetwork: network });
};

const identify = async <Who>(
  request: Request,
  find: (token: string) => Promise<Who | undefined>,
): Promise<Who> => {
  const token = bearerToken(request.get("authorization"));
  if (token === undefined) {
    throw noToken();
  }
  const who = await find(token);
  if (who === undefined) {
    throw badToken();
  }
  return who;
};

/** By the token, else by the cookie: a call that names a token never acts with a cookie. */
const identifyUser = async (
  { authenticate, sessions, baseUrl }: ApiRouterDeps,
  request: Request,
): Promise<Authenticated> => {
  const ids = sessionIdsOf(request.get("cookie"), baseUrl);
  if (sessions === undefined || ids.length === 0 || request.get("authorization") !== undefined) {
    return identify(request, authenticate);
  }
  const header = (name: string) => request.get(name);
  const door = { baseUrl, header, isAlias: sessions.isAlias };
  return authenticateBrowser(sessions, door, { ids, method: request.method });
};

const serveGuest = async (
  deps: ApiRouterDeps,
  { exchange, operation, route }: Served<GuestRoute>,
): Promise<Answer> => {
  const { request, response, record } = exchange;
  const guest = await identify(request, deps.verifyRoomToken);
  record.caller = guest;
  const network = clientNetwork(request.ip);
  const key = route.limit === "guest" ? network : `${guest.conversationId} ${guest.participant}`;
  await countCall(deps, route, { key, response });
  authorizeGuest(guest, route);
  return route.handle({ ...(await readSent(exchange, operation)), guest, clientNetwork: network });
};

/** Runs the handler, at most once per `Idempotency-Key`. */
const runHandler = async (
  { idempotency }: ApiRouterDeps,
  route: Route,
  apiRequest: ApiRequest,
): Promise<Answer> => {
  const header = apiRequest.header("idempotency-key");
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

const serveUser = async (
  deps: ApiRouterDeps,
  { exchange, operation, route }: Served<Route>,
): Promise<Answer> => {
  const { request, response, record } = exchange;
  const who = await identifyUser(deps, request);
  const { caller } = who;
  record.caller = caller;
  await countCall(deps, route, { key: String(caller.userId), response });
  const reach = authorize(who, route);
  return runHandler(deps, route, { ...(await readSent(exchange, operation)), caller, reach });
};

/** The answer of the operation that a call meant. Throws the problem where it cannot be given. */
export const serveOperation = async (
  deps: ApiRouterDeps,
  exchange: Exchange,
): Promise<{ operation: Operation; answer: Answer }> => {
  const operation = findOperation(exchange);
  const { route } = operation;
  exchange.record.operation = route;
  checkAccept(exchange.request, route);
  switch (route.permission) {
    case "public":
      return { operation, answer: await servePublic(deps, { exchange, operation, route }) };
    case "guest":
      return { operation, answer: await serveGuest(deps, { exchange, operation, route }) };
    default:
      return { operation, answer: await serveUser(deps, { exchange, operation, route }) };
  }
};
