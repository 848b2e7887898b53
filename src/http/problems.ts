/** Maps any thrown value to a Problem. Unknown errors become 500 only here. */
import {
  invalidParameter,
  Problem,
  problem,
  problemCatalogue,
  type ProblemKind,
} from "../contracts/problems.ts";
import { isTransientFault } from "../platform/db/errors.ts";
import { toError } from "../platform/errors.ts";

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

/** Errors of the body reader carry a `type`. */
function bodyProblem(error: Error): Problem | undefined {
  const { type, limit } = error as { type?: unknown; limit?: unknown };
  switch (type) {
    case "entity.too.large":
      return bodyTooLarge(Number(limit));
    case "encoding.unsupported":
      return problem("unsupported_media_type", "The body must not have a Content-Encoding.");
    case "request.aborted":
    case "request.size.invalid":
      return bodyCutShort();
    default:
      return undefined;
  }
}

export function bodyTooLarge(maxBytes: number): Problem {
  return problem("too_large", `The body is larger than ${Math.floor(maxBytes / 1024)} KB.`);
}

export function bodyCutShort(): Problem {
  return invalidParameter("body", "length", "The body is shorter than its Content-Length.");
}

/**
 * What Express and its helpers refuse by themselves: a parameter of a path that cannot be decoded,
 * a file that is not there, a range that a file does not have. They mark what a client may be told
 * (`expose`); a status alone proves nothing, clients of other services give one to their errors.
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

/** Errors of sockets and name resolution: the database is not there. */
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

/** What node-postgres and Knex say without a code. */
const connectionMessages =
  /Connection terminated|timeout exceeded when trying to connect|Timeout acquiring a connection|Unable to acquire a connection|Client has encountered a connection error|not queryable/u;

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

/** An error for the log: without the extra members that drivers add, which can hold values. */
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

/**
 * The body of every error: the members of RFC 9457, and `code`, `message` and `details`, which
 * older clients read. `details` names what the problem is about in a fixed form (`Parameter phone`,
 * `Transition done → invited`, `Permission …`, `Header …`), and is empty where that is nothing in
 * particular. `error` stands on 429 and on answers of the token endpoint.
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

/** Words of RFC 6749 for faults of the token endpoint that say none themselves. */
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
