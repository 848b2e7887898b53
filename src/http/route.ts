import type { Permission, Role, Reach } from "../contracts/permissions.ts";
import type { Trx } from "../platform/db/pool.ts";

/** Who calls, as authentication found it. Every query of a slice is bound to `enterpriseId`. */
export type Caller = Readonly<{
  userId: number;
  enterpriseId: number;
  login: string;
  role: Role;
  accountType: "platform" | "solution";
  groupIds: readonly number[];
  /** The presented token itself: `GET users/me` shows it, nothing else may. */
  token: string;
}>;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A request after authentication, authorisation and validation. */
export type ApiRequest<Params = unknown, Query = unknown, Body = unknown> = Readonly<{
  caller: Caller;
  /** How far the route's permission reaches for this caller. */
  reach: Reach;
  params: Params;
  query: Query;
  body: Body;
  requestId: string;
  /** Path and query as the client wrote them, for `Link` headers. */
  url: string;
  /** Only on routes with `isIdempotent`, and only where the client sent an `Idempotency-Key`. */
  idempotency?: IdempotencyTicket;
}>;

/**
 * Makes a repeated request give the first one's answer without a second action. Both calls belong
 * into the transaction of the use case, so that what was done and what was answered are committed
 * together or not at all: a process killed between the commit and the answer repeats the answer.
 *
 *     await inTransaction(db, async (trx) => {
 *       await request.idempotency?.begin(trx); // first, before anything is written
 *       const ticket = await tickets.insert(trx, …);
 *       const answer = created(present(ticket), location);
 *       await request.idempotency?.finish(trx, answer); // last
 *       return answer;
 *     });
 */
export type IdempotencyTicket = Readonly<{
  /**
   * Takes the key. Throws a conflict where another request holds it or used it for something
   * else. Where the same request was done meanwhile it throws too, and the router, which catches
   * it, sends the stored answer: let everything that `begin` throws pass.
   */
  begin(trx: Trx): Promise<void>;
  /** Stores status, body and `Location` of the answer that the handler is going to return. */
  finish(trx: Trx, answer: Answer): Promise<void>;
}>;

export type Answer = Readonly<{
  status: 200 | 201 | 202 | 204;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}>;

/**
 * One operation of the REST interface, as data: the router, the role matrix test and the API
 * description are all made from it.
 */
export type Route = Readonly<{
  method: Method;
  /** Without prefix, parameters in braces: `/tickets/{ticketId}`. */
  path: string;
  operationId: string;
  summary: string;
  /** Needed permission; `authenticated` where any valid token will do. */
  permission: Permission | "authenticated";
  /** `solution` routes refuse platform accounts and enterprises without the solution. */
  family: "solution" | "platform";
  /** Which rate limit counts the call. */
  limit: "api" | "events";
  params?: JsonSchema;
  query?: JsonSchema;
  body?: JsonSchema;
  /**
   * `json`: the body is JSON. `any`: input comes as query, form or JSON and is validated as one
   * object with the `body` schema; where a name stands twice, the body wins.
   */
  transport?: "json" | "any";
  /** Honours the `Idempotency-Key` header. */
  isIdempotent?: boolean;
  handle: (request: ApiRequest) => Promise<Answer>;
}>;

/** A request nobody has to be signed in for. */
export type PublicRequest<Body = unknown> = Readonly<{
  body: Body;
  requestId: string;
  /** The client's address; an IPv6 address is cut to its /64, which is one customer's. */
  clientNetwork: string;
}>;

/** An operation without authentication, thus without role and family, limited by address. */
export type PublicRoute = Readonly<
  Pick<Route, "method" | "path" | "operationId" | "summary" | "body" | "transport"> & {
    permission: "public";
    /** Which rate limit counts the call, before its body is read. */
    limit: "tokenIp";
    handle: (request: PublicRequest) => Promise<Answer>;
  }
>;

/** Keeps the types of params, query and body inside the handler; outside, routes are alike. */
export const route = <Params = unknown, Query = unknown, Body = unknown>(
  definition: Omit<Route, "handle"> & {
    handle: (request: ApiRequest<Params, Query, Body>) => Promise<Answer>;
  },
): Route => definition as Route;

/** The same for a public operation. */
export const publicRoute = <Body = unknown>(
  definition: Omit<PublicRoute, "handle" | "permission"> & {
    handle: (request: PublicRequest<Body>) => Promise<Answer>;
  },
): PublicRoute => ({ ...definition, permission: "public" }) as PublicRoute;

export const ok = (body: unknown, headers?: Record<string, string>): Answer =>
  headers === undefined ? { status: 200, body } : { status: 200, body, headers };

export const created = (body: unknown, location: string): Answer => ({
  status: 201,
  body,
  headers: { Location: location },
});

export const noContent: Answer = { status: 204 };
