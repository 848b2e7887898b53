/** Whatever was thrown while answering → a Problem. Only here unknown errors become 500. */
import { invalidParameter, Problem, problem } from "../contracts/problems.ts";
import { isPassingFault } from "../platform/db/faults.ts";
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
    ? problem("dependency_down", "A part of the service does not answer. Try again.", {
        headers: { "Retry-After": String(retryAfterSeconds) },
        cause: error,
      })
    : problem("internal", "The service has a fault. It has been recorded.", { cause: error });
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
  return invalidParameter("body", "length", "The body ended before its announced length.");
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
    ? problem("not_found", "There is nothing at this path.")
    : invalidParameter("request", "invalid", "The request cannot be answered.");
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
  if (connectionCodes.has(code) || isPassingFault(error)) {
    return true;
  }
  if (connectionMessages.test(error.message)) {
    return true;
  }
  return error.cause instanceof Error && depth < 5 && isDependencyDown(error.cause, depth + 1);
}

/** An error for the log: without the extra members that drivers add, which can hold values. */
export function describeError(thrown: unknown, depth = 0): Record<string, unknown> {
  const error = toError(thrown);
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined || depth > 3
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  };
}
