/** Answers a failed call with a problem. */
import { problem, problemCatalogue, type Problem } from "../contracts/problems.ts";
import { toError } from "../platform/errors.ts";
import { sendProblem, toLoggableError, toProblem, problemBody } from "./answer.ts";
import type { ApiRouterDeps, RequestContext, RequestRecord } from "./request-context.ts";

type PendingResponse = Pick<RequestContext, "response" | "record">;

export function sendFault(
  deps: ApiRouterDeps,
  { response, record }: PendingResponse,
  thrown: unknown,
): void {
  logFault(deps.log, record, thrown);
  if (response.headersSent) {
    response.destroy(); // too late for a problem: a truncated answer must not look complete
    return;
  }
  const fault = checkProblem(deps, record, toProblem(thrown));
  record.code = problemCatalogue[fault.kind].code;
  sendProblem(response, fault, contextOf(deps, record));
}

function logFault(log: ApiRouterDeps["log"], record: RequestRecord, thrown: unknown): void {
  const { requestId, route } = record;
  const { kind, cause } = toProblem(thrown);
  if (kind === "internal") {
    log.error({ requestId, route, err: toLoggableError(cause ?? thrown) }, "request.failed");
  } else if (kind === "dependency_down") {
    log.warn({ requestId, route, err: toLoggableError(cause ?? thrown) }, "request.unavailable");
  }
}

/** For tests: replaces a problem that the API description does not list. */
function checkProblem(deps: ApiRouterDeps, record: RequestRecord, fault: Problem): Problem {
  if (deps.checkAnswer === undefined) {
    return fault;
  }
  try {
    const body = problemBody(fault, contextOf(deps, record));
    deps.checkAnswer({ route: record.operation, problem: body });
    return fault;
  } catch (thrown) {
    return problem("internal", toError(thrown).message);
  }
}

function contextOf({ baseUrl }: ApiRouterDeps, { requestId, route }: RequestRecord) {
  return {
    baseUrl,
    requestId,
    isOauth: route === "/token",
  };
}
