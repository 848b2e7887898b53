import { problemCatalogue, type Problem, type ProblemKind } from "../contracts/problems.ts";

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
  problem: Problem,
  context: { baseUrl: string; requestId: string; isOauth: boolean },
): ProblemBody {
  const { code, status, title } = problemCatalogue[problem.kind];
  const error = errorOf(problem, context.isOauth);
  return {
    type: problemType(context.baseUrl, problem.kind),
    title,
    status,
    detail: problem.message,
    instance: `urn:uuid:${context.requestId}`,
    code,
    message: problem.message,
    details: problem.details ?? "",
    errors: problem.errors,
    ...(error === undefined ? {} : { error }),
  };
}

/** Words of RFC 6749 for faults of the token endpoint that say none themselves. */
const oauthErrors: Partial<Record<ProblemKind, string>> = {
  internal: "server_error",
  dependency_down: "temporarily_unavailable",
  bad_login: "invalid_grant",
};

function errorOf(problem: Problem, isOauth: boolean): string | undefined {
  if (problem.error !== undefined || problem.kind === "rate_limited") {
    return problem.error ?? "too_many_requests";
  }
  return isOauth ? (oauthErrors[problem.kind] ?? "invalid_request") : undefined;
}

export function problemType(baseUrl: string, kind: ProblemKind): string {
  return `${baseUrl}/problems/${problemCatalogue[kind].slug}`;
}
