import type { Readable } from "node:stream";
import type { Permission, Role, Reach } from "../contracts/permissions.ts";
import type { ProblemKind, ToFault } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { RateVerdict } from "./rate-limit.ts";

/** The authenticated caller. Every query of a feature is bound to `enterpriseId`. */
export type Caller = Readonly<{
  userId: number;
  enterpriseId: number;
  login: string;
  role: Role;
  accountType: "platform" | "solution";
  groupIds: readonly number[];
  /** The bearer token. Only `GET users/me` may show it. Empty for cookie sessions. */
  token: string;
  /** The session id, if the caller authenticated with a cookie. */
  sessionId?: number;
  /** Of a session that `sso_url`s opened: the only tickets that it reaches; never empty. */
  onlyTicketIds?: readonly number[];
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
  /** Only with transport `multipart`: the file in temporary storage. */
  upload?: Upload;
  /** Only with transport `bytes`: the raw body, at most `maxBodyBytes`. */
  bytes?: Buffer;
  /** Only with `isIdempotent`, and if the client sent an `Idempotency-Key`. */
  idempotency?: IdempotencyReservation;
}>;

/**
 * An uploaded file. It is temporary and deleted after the answer: handlers that keep it copy it to
 * the blob store.
 */
export type Upload = Readonly<{
  path: string;
  bytes: number;
  /**
   * The client's name of the file, without folders and control characters; never used as a path.
   */
  filename: string;
  /** The type that the client declared. Not trusted: check the first bytes. */
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
export type IdempotencyReservation = Readonly<{
  /**
   * Claims the key. Throws a conflict if another request holds it or used it for a different
   * request. If the same request has been completed by then, it throws an error that the router
   * turns into the stored answer: do not catch what `begin` throws.
   */
  begin(trx: Trx): Promise<void>;
  /** Stores the status, body and `Location` of the answer that the handler returns. */
  finish(trx: Trx, answer: Answer): Promise<void>;
}>;

export type Answer = Readonly<{
  status: 200 | 201 | 202 | 204 | 206;
  body?: unknown;
  /** Instead of `body`, for answers that are not JSON. */
  content?: AnswerContent;
  /** A list is sent as one header per value. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
}>;

/** Server-sent events: an endless answer, which has no byte ranges. */
export const eventStreamType = "text/event-stream";

/** Content of an answer and its media type. A stream is destroyed when the client disconnects. */
export type AnswerContent = Readonly<{
  type: string;
  data: string | Buffer | Readable;
  /** The problem of a stream that fails before its first byte. Default: by the error. */
  toFault?: ToFault;
}>;

/** The successful answer of an operation, for the description of the API. */
export type AnswerShape = Readonly<{
  status: 200 | 201 | 202 | 204;
  /** Schema of the JSON body. Absent if the answer has no JSON body. */
  schema?: JsonSchema;
  /** Media types other than JSON, which `Accept` may name. */
  produces?: readonly string[];
}>;

/** The input of an operation, and the description of its answer. */
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
  /** Problems of this operation, besides those that every operation of its kind has. */
  problems?: readonly ProblemKind[];
  /** Alternative full paths, for clients that know an older name. */
  aliases?: readonly string[];
  /** Still served. The summary names the replacement. */
  isDeprecated?: boolean;
  /**
   * `json`: the body is JSON. `any`: input comes as query, form or JSON and is validated as one
   * object with the `body` schema; the body takes precedence over the query. `multipart`: one file
   * in the part `file`, and fields that are validated with the `body` schema. `bytes`: the raw
   * body, of one of the types in `accepts`.
   */
  transport?: "json" | "any" | "multipart" | "bytes";
  /** For transport `bytes`: media types in lower case. */
  accepts?: readonly string[];
  /** For transports `multipart` and `bytes`; default 256 KB. */
  maxBodyBytes?: number;
}>;

/**
 * One operation of the REST interface, as data: the router, the role matrix test and the API
 * description are all made from it.
 */
export type Route = OperationShape &
  Readonly<{
    /** The required permission; `authenticated` for any valid token. */
    permission: Permission | "authenticated";
    /** `solution` routes reject platform accounts and enterprises without the solution. */
    family: "solution" | "platform";
    /** Which rate limit counts the call. */
    limit: "api" | "events";
    /**
     * Checks that the schema cannot express: whether referenced objects exist. Runs with the valid
     * fields if the schema rejected others, so that one answer names every invalid field. The
     * handler repeats these checks.
     */
    alsoCheck?: (request: ApiRequest) => Promise<unknown>;
    /** Honours the `Idempotency-Key` header. */
    isIdempotent?: boolean;
    handle: (request: ApiRequest) => Promise<Answer>;
  }>;

/** The part of a request that is independent of authentication. */
type ValidatedRequest<Params, Query, Body> = Pick<
  ApiRequest<Params, Query, Body>,
  "params" | "query" | "body" | "requestId" | "url" | "header" | "upload" | "bytes"
> &
  Readonly<{
    /** The client's address. IPv6 addresses are cut to their /64, which belongs to one customer. */
    clientNetwork: string;
    /** Only with `isSignIn`: the rate limit verdict if the address is over its limit. */
    overLimit?: RateVerdict;
  }>;

/** A request without authentication. */
export type PublicRequest<Body = unknown, Params = unknown, Query = unknown> = ValidatedRequest<
  Params,
  Query,
  Body
>;

/** An operation without authentication, so without role and family. Rate-limited by address. */
export type PublicRoute = OperationShape &
  Readonly<{
    permission: "public";
    /** Which rate limit counts the call, before its body is read. */
    limit: "tokenIp" | "guest" | "tokenCheck" | "callback";
    /**
     * Only failed calls count. The handler rejects clients over the limit, unless it knows the
     * browser.
     */
    isSignIn?: true;
    handle: (request: PublicRequest) => Promise<Answer>;
  }>;

export const roomRoles = [
  "agent",
  "requestor",
  "expert",
  "organizer",
  "moderator",
  "participant",
  "supervisor",
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
  /**
   * The visit for which the token was issued. Consent and answers belong to it. Of an
   * expert and a supervisor the session, which is the only one that the token is for.
   */
  visit: string;
  /** Set for agents, organizers, moderators and supervisors, and for experts who are colleagues. */
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
    /** Room roles that may call it. */
    roles: readonly RoomRole[];
    limit: "guest" | "room" | "guestUpload";
    handle: (request: GuestRequest) => Promise<Answer>;
  }>;

/** Every kind of operation of the REST API. */
export type AnyRoute = Route | PublicRoute | GuestRoute;

/** Maximum size of a body, if the route sets no other. */
export const defaultMaxBytes = 256 * 1024;

/** Only large uploads may be slow: other bodies must arrive within 30 s. */
export function takesFiles({ maxBodyBytes = 0 }: Pick<AnyRoute, "maxBodyBytes">): boolean {
  return maxBodyBytes > defaultMaxBytes;
}

export const noContent: Answer = { status: 204 };

/**
 * Keeps the types of params, query and body inside the handler. Outside, all routes have one type.
 */
export function route<Params = unknown, Query = unknown, Body = unknown>(
  definition: Omit<Route, "handle" | "alsoCheck"> & {
    handle: (request: ApiRequest<Params, Query, Body>) => Promise<Answer>;
    alsoCheck?: (request: ApiRequest<Params, Query, Partial<Body>>) => Promise<unknown>;
  },
): Route {
  return definition as Route;
}

/** Like `route`, for a public operation. */
export function publicRoute<Body = unknown, Params = unknown, Query = unknown>(
  definition: Omit<PublicRoute, "handle" | "permission"> & {
    handle: (request: PublicRequest<Body, Params, Query>) => Promise<Answer>;
  },
): PublicRoute {
  return { ...definition, permission: "public" } as PublicRoute;
}

/** Like `route`, for an operation of the guests' API. */
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
  return { status: 201, body, headers: { Location: location } };
}
