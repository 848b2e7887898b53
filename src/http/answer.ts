/** Sends answers and problems. The only place that maps thrown values to problems. */
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import {
  problemCatalogue,
  Problem,
  invalidParameter,
  problem,
  type ProblemKind,
  type ToFault,
} from "../contracts/problems.ts";
import type { Answer, AnswerContent } from "./route.ts";
import { isTransientFault } from "../platform/db/errors.ts";
import { toError } from "../platform/errors.ts";

export type ProblemBody = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: number;
  message: string;
  details: string;
  errors: readonly { field: string; reason: string }[];
  error?: string;
};

/** Headers that keep proxies from buffering an answer of server-sent events. */
export const eventStreamHeaders = {
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/**
 * Rejects if the stream of the answer fails. A problem can still be sent if `headersSent` is false
 * then.
 */
export async function sendAnswer(response: Response, answer: Answer): Promise<void> {
  if (answer.content !== undefined) {
    await sendContent(response, answer, answer.content);
    return;
  }
  setHeaders(response, answer);
  if (answer.body === undefined) {
    response.end();
  } else {
    sendJson(response, "application/json", answer.body);
  }
}

async function sendContent(
  response: Response,
  answer: Answer,
  { data, type }: AnswerContent,
): Promise<void> {
  if (data instanceof Readable) {
    await sendStream(response, answer, data);
    return;
  }
  setHeaders(response, answer);
  send(response, type, data);
}

/** With backpressure. Destroys the stream when the client disconnects. */
async function sendStream(response: Response, answer: Answer, stream: Readable): Promise<void> {
  try {
    await untilReadable(stream, response, answer.content?.toFault);
    setHeaders(response, answer);
    response.setHeader("Content-Type", answer.content?.type ?? "application/octet-stream");
    if (response.req.method === "HEAD") {
      response.end();
      return;
    }
    await pipeline(stream, response);
  } catch (thrown) {
    if (!isClientGone(thrown)) {
      throw thrown;
    }
  } finally {
    stream.destroy();
  }
}

/** Resolves at the first bytes or the end. An error before becomes the problem of `toFault`, if given. */
export async function untilReadable(
  stream: Readable,
  response: Response,
  toFault?: ToFault,
): Promise<void> {
  const gone = (): void => void stream.destroy();
  response.once("close", gone);
  try {
    await untilFirstBytes(stream);
  } catch (thrown) {
    if (!response.closed) {
      throw toFault?.(thrown) ?? thrown;
    }
  } finally {
    response.off("close", gone);
  }
}

async function untilFirstBytes(stream: Readable): Promise<void> {
  stream.on("error", () => undefined); // a stream that was destroyed may emit it later
  if (!stream.closed && !stream.readableEnded && stream.readableLength === 0) {
    await Promise.race([once(stream, "readable"), once(stream, "end"), once(stream, "close")]);
  }
  if (stream.destroyed && !stream.readableEnded) {
    throw stream.errored ?? new Error("The stream was closed before its first byte");
  }
}

function setHeaders(response: Response, { status, headers = {} }: Omit<Answer, "body">): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, value);
  }
}

/** Whether the error is caused by a client that disconnected. */
export function isClientGone(thrown: unknown): boolean {
  return (thrown as { code?: unknown } | undefined)?.code === "ERR_STREAM_PREMATURE_CLOSE";
}

export function sendProblem(
  response: Response,
  fault: Problem,
  context: { baseUrl: string; requestId: string; isOauth: boolean },
): void {
  response.statusCode = problemCatalogue[fault.kind].status;
  for (const [name, value] of Object.entries(fault.headers)) {
    response.setHeader(name, value);
  }
  sendJson(response, "application/problem+json", problemBody(fault, context));
}

function sendJson(response: Response, contentType: string, body: unknown): void {
  send(response, contentType, JSON.stringify(body));
}

/** Node writes a text in one piece with the headers, and omits the body of HEAD answers. */
function send(response: Response, contentType: string, body: string | Buffer): void {
  response.setHeader("Content-Type", contentType);
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.end(body);
}

/**
 * The body of every error: the members of RFC 9457, and `code`, `message` and `details` for older
 * clients. `details` names the subject of the problem in a fixed form (`Parameter phone`,
 * `Transition done → invited`, `Permission …`, `Header …`) or is empty. `error` is present on 429
 * and on answers of the token endpoint.
 */
export function problemBody(
  thrown: Problem,
  context: { baseUrl: string; requestId: string; isOauth: boolean },
): ProblemBody {
  const { code, status, title } = problemCatalogue[thrown.kind];
  const error = errorOf(thrown, context.isOauth);
  return {
    type: problemType(context.baseUrl, thrown.kind),
    title,
    status,
    detail: thrown.message,
    instance: `urn:uuid:${context.requestId}`,
    code,
    message: thrown.message,
    details: thrown.details ?? "",
    errors: thrown.errors,
    ...(error === undefined ? {} : { error }),
  };
}

/** Error codes of RFC 6749 for problems of the token endpoint that set none themselves. */
const oauthErrors: Partial<Record<ProblemKind, string>> = {
  internal: "server_error",
  dependency_down: "temporarily_unavailable",
  bad_login: "invalid_grant",
};

function errorOf(thrown: Problem, isOauth: boolean): string | undefined {
  if (thrown.error !== undefined || thrown.kind === "rate_limited") {
    return thrown.error ?? "too_many_requests";
  }
  return isOauth ? (oauthErrors[thrown.kind] ?? "invalid_request") : undefined;
}

export function problemType(baseUrl: string, kind: ProblemKind): string {
  return `${baseUrl}/problems/${problemCatalogue[kind].slug}`;
}

const retryAfterSeconds = 2;

export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) {
    return thrown;
  }
  const error = toError(thrown);
  const refused = bodyProblem(error) ?? requestProblem(error);
  if (refused !== undefined) {
    return refused;
  }
  return isDependencyDown(error)
    ? problem("dependency_down", "A dependency of the service is not available. Try again.", {
        headers: { "Retry-After": String(retryAfterSeconds) },
        cause: error,
      })
    : problem("internal", "An internal error occurred and was logged. Try again later.", {
        cause: error,
      });
}

/** Errors of the body parser have a `type`. */
function bodyProblem(error: Error): Problem | undefined {
  const { type, limit } = error as { type?: unknown; limit?: unknown };
  switch (type) {
    case "entity.too.large":
      return bodyTooLarge(Number(limit));
    case "encoding.unsupported":
      return problem("unsupported_media_type", "The body must not have a Content-Encoding.");
    case "request.aborted":
    case "request.size.invalid":
      return truncatedBody();
    default:
      return undefined;
  }
}

export function bodyTooLarge(maxBytes: number): Problem {
  return problem("too_large", `The body is larger than ${Math.floor(maxBytes / 1024)} KB.`);
}

export function truncatedBody(): Problem {
  return invalidParameter("body", "length", "The body is shorter than its Content-Length.");
}

/**
 * Errors of Express and its helpers: a path parameter that cannot be decoded, a missing file, a
 * range outside the file. `expose` marks those that clients may see. The status alone is not
 * enough, because HTTP client libraries set it on their errors too.
 */
function requestProblem(error: Error): Problem | undefined {
  const { status, expose } = error as { status?: unknown; expose?: unknown };
  if (error instanceof URIError && status === 400) {
    return invalidParameter("path", "encoding", "The path is not valid percent-encoded UTF-8.");
  }
  if (expose !== true || typeof status !== "number" || status < 400 || status > 499) {
    return undefined;
  }
  return status === 404
    ? problem("not_found", "The path was not found.")
    : invalidParameter("request", "invalid", "The request is malformed.");
}

/** Error codes of sockets and DNS: the database cannot be reached. */
const connectionCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Messages of node-postgres and Knex errors that have no code. */
const connectionMessages =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Timeout acquiring a connection|Unable to acquire a connection|Client has encountered a connection error|not queryable/u;

function isDependencyDown(error: Error, depth = 0): boolean {
  const { code = "" } = error as { code?: string };
  if (connectionCodes.has(code) || isTransientFault(error)) {
    return true;
  }
  if (connectionMessages.test(error.message)) {
    return true;
  }
  return error.cause instanceof Error && depth < 5 && isDependencyDown(error.cause, depth + 1);
}

/** An error for the log, without the extra members that drivers add and that may contain values. */
export function toLoggableError(thrown: unknown, depth = 0): Record<string, unknown> {
  const error = toError(thrown);
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined || depth > 3
      ? {}
      : { cause: toLoggableError(error.cause, depth + 1) }),
  };
}
