import type { Readable } from "node:stream";
import type { Permission, Role, Reach } from "../contracts/permissions.ts";
import type { ProblemKind } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { RateVerdict } from "./rate-limit.ts";

/** The authenticated caller. Every query of a slice is bound to `enterpriseId`. */
export type Caller = Readonly<{
  userId: number;
  enterpriseId: number;
  login: string;
  role: Role;
  accountType: "platform" | "solution";
  groupIds: readonly number[];
  /** The presented token itself: `GET users/me` shows it, nothing else may. Empty for sessions. */
  token: string;
  /** Of a browser that came with the cookie of its session: the session's number. */
  sessionId?: number;
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
  /** A header of the request, by its name in lower case. */
  header: (name: string) => string | undefined;
  /** Only on routes with transport `multipart`: the file, in a temporary place. */
  upload?: Upload;
  /** Only on routes with transport `bytes`: the body as it came, at most `maxBodyBytes`. */
  bytes?: Buffer;
  /** Only on routes with `isIdempotent`, and only where the client sent an `Idempotency-Key`. */
  idempotency?: IdempotencyTicket;
}>;

/**
 * A file that a client sent. It lies in a temporary file which is gone when the answer is: a
 * handler that wants to keep it puts it into the blob store.
 */
export type Upload = Readonly<{
  path: string;
  bytes: number;
  /** As the client named it, without folders and control characters; never used as a path. */
  filename: string;
  /** The declared type. Do not trust it: check the first bytes. */
  declaredType: string;
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
  status: 200 | 201 | 202 | 204 | 206;
  body?: unknown;
  /** Instead of `body`, for answers that are not JSON. */
  content?: AnswerContent;
  /** A list is sent as a header for each of its values. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
}>;

/** Server-sent events: an answer that goes on, so no part of it can be asked for. */
export const eventStreamType = "text/event-stream";

/** Bytes of an answer and their media type. A stream is destroyed when the client goes. */
export type AnswerContent = Readonly<{ type: string; data: string | Buffer | Readable }>;

/** What an operation answers when it succeeds, for the description of the API. */
export type AnswerShape = Readonly<{
  status: 200 | 201 | 202 | 204;
  /** Of the JSON body. Absent where there is none, or where it is not JSON. */
  schema?: JsonSchema;
  /** Other media types than JSON, which `Accept` may ask for as well. */
  produces?: readonly string[];
}>;

/** How input comes into an operation, and how an answer is described. */
type OperationShape = Readonly<{
  method: Method;
  /** Without prefix, parameters in braces: `/tickets/{ticketId}`. */
  path: string;
  operationId: string;
  summary: string;
  params?: JsonSchema;
  query?: JsonSchema;
  body?: JsonSchema;
  answer: AnswerShape;
  /** Refusals by the operation itself, besides those that every operation of its kind has. */
  problems?: readonly ProblemKind[];
  /** Other whole paths that do the same, for clients that know an older name. */
  aliases?: readonly string[];
  /** Still served, but there is something better, which the summary names. */
  isDeprecated?: boolean;
  /**
   * `json`: the body is JSON. `any`: input comes as query, form or JSON and is validated as one
   * object with the `body` schema; where a name stands twice, the body wins. `multipart`: one file
   * in the part `file`, and fields that are validated with the `body` schema. `bytes`: a body of
   * one of the types in `accepts`, as it is.
   */
  transport?: "json" | "any" | "multipart" | "bytes";
  /** Of transport `bytes`: media types in lower case. */
  accepts?: readonly string[];
  /** Of transports `multipart` and `bytes`; 256 KB where absent. */
  maxBodyBytes?: number;
}>;

/**
 * One operation of the REST interface, as data: the router, the role matrix test and the API
 * description are all made from it.
 */
export type Route = OperationShape &
  Readonly<{
    /** Needed permission; `authenticated` where any valid token will do. */
    permission: Permission | "authenticated";
    /** `solution` routes refuse platform accounts and enterprises without the solution. */
    family: "solution" | "platform";
    /** Which rate limit counts the call. */
    limit: "api" | "events";
    /**
     * Checks that the schema cannot express: whether referenced objects exist. Runs with the valid
     * fields when the schema rejected others, so that one answer names every invalid field. The
     * handler makes the same checks itself.
     */
    alsoCheck?: (request: ApiRequest) => Promise<unknown>;
    /** Honours the `Idempotency-Key` header. */
    isIdempotent?: boolean;
    handle: (request: ApiRequest) => Promise<Answer>;
  }>;

/** What every request has, whoever sends it. */
type ValidatedRequest<Params, Query, Body> = Pick<
  ApiRequest<Params, Query, Body>,
  "params" | "query" | "body" | "requestId" | "url" | "header" | "upload" | "bytes"
> &
  Readonly<{
    /** The client's address; an IPv6 address is cut to its /64, which is one customer's. */
    clientNetwork: string;
    /** Only on routes with `isSignIn`: the limit of the address, where it is reached. */
    overLimit?: RateVerdict;
  }>;

/** A request nobody has to be signed in for. */
export type PublicRequest<Body = unknown, Params = unknown, Query = unknown> = ValidatedRequest<
  Params,
  Query,
  Body
>;

/** An operation without authentication, thus without role and family, limited by address. */
export type PublicRoute = OperationShape &
  Readonly<{
    permission: "public";
    /** Which rate limit counts the call, before its body is read. */
    limit: "tokenIp" | "guest" | "tokenCheck" | "callback";
    /**
     * Only failures count, and the handler refuses a client that is over the limit: it may know it.
     */
    isSignIn?: true;
    handle: (request: PublicRequest) => Promise<Answer>;
  }>;

export const roomRoles = [
  "agent",
  "requestor",
  "organizer",
  "moderator",
  "participant",
  "waiting",
] as const;

export type RoomRole = (typeof roomRoles)[number];

/** The holder of a room token: a participant of one conversation, with or without an account. */
export type Guest = Readonly<{
  enterpriseId: number;
  conversationId: number;
  ticketId: number | null;
  conferenceId: number | null;
  role: RoomRole;
  /** Stable id of this person for this token, at most 64 characters. */
  participant: string;
  /** The use of the link that the token was made for; consent and answers belong to it. */
  visit: string;
  /** Of agents, organizers and moderators. */
  userId: number | null;
  name: string;
}>;

export type GuestRequest<Params = unknown, Query = unknown, Body = unknown> = ValidatedRequest<
  Params,
  Query,
  Body
> &
  Readonly<{ guest: Guest }>;

/** An operation of the guests' API: the bearer token is a room token. */
export type GuestRoute = OperationShape &
  Readonly<{
    permission: "guest";
    /** Roles in the room that may call it. */
    roles: readonly RoomRole[];
    limit: "guest" | "room" | "guestUpload";
    handle: (request: GuestRequest) => Promise<Answer>;
  }>;

/** Every kind of operation that the REST interface is made of. */
export type AnyRoute = Route | PublicRoute | GuestRoute;

/** Of a request body, if the route sets no other limit. */
export const defaultMaxBytes = 256 * 1024;

/** Only large uploads may be slow: other bodies must arrive within half a minute. */
export function takesFiles({ maxBodyBytes = 0 }: Pick<AnyRoute, "maxBodyBytes">): boolean {
  return maxBodyBytes > defaultMaxBytes;
}

export const noContent: Answer = { status: 204 };

/** Keeps the types of params, query and body inside the handler; outside, routes are alike. */
export function route<Params = unknown, Query = unknown, Body = unknown>(
  definition: Omit<Route, "handle" | "alsoCheck"> & {
    handle: (request: ApiRequest<Params, Query, Body>) => Promise<Answer>;
    alsoCheck?: (request: ApiRequest<Params, Query, Partial<Body>>) => Promise<unknown>;
  },
): Route {
  return definition as Route;
}

/** The same for a public operation. */
export function publicRoute<Body = unknown, Params = unknown, Query = unknown>(
  definition: Omit<PublicRoute, "handle" | "permission"> & {
    handle: (request: PublicRequest<Body, Params, Query>) => Promise<Answer>;
  },
): PublicRoute {
  return { ...definition, permission: "public" } as PublicRoute;
}

/** The same for an operation of the guests' API. */
export function guestRoute<Params = unknown, Query = unknown, Body = unknown>(
  definition: Omit<GuestRoute, "handle" | "permission"> & {
    handle: (request: GuestRequest<Params, Query, Body>) => Promise<Answer>;
  },
): GuestRoute {
  return { ...definition, permission: "guest" } as GuestRoute;
}

export function ok(body: unknown, headers?: Answer["headers"]): Answer {
  return headers === undefined ? { status: 200, body } : { status: 200, body, headers };
}

export function created(body: unknown, location: string): Answer {
  return {
    status: 201,
    body,
    headers: { Location: location },
  };
}
