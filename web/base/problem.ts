/** Status and code of an error in the page itself, not in an API call. */
export const pageFault = -1;

/** An API error, or an error of the page (`pageFault`). */
export class ApiProblem extends Error {
  readonly status: number;
  /** Stable number of the problem type; 0 if the server could not be reached. */
  readonly code: number;
  /** Validation errors by field. */
  readonly errors: readonly Readonly<{ field: string; reason: string; detail?: string }>[];
  /** For support requests. */
  readonly requestId: string | undefined;
  /** Seconds to wait, from the `Retry-After` header. */
  readonly retryAfter: number | undefined;

  constructor(
    problem: Readonly<{
      status: number;
      code?: number;
      detail?: string;
      errors?: ApiProblem["errors"];
      instance?: string;
      retryAfter?: number | undefined;
    }>,
  ) {
    super(problem.detail ?? "");
    this.name = "ApiProblem";
    this.status = problem.status;
    this.code = problem.code ?? 0;
    this.errors = problem.errors ?? [];
    this.requestId = problem.instance?.replace(/^urn:uuid:/u, "");
    this.retryAfter = problem.retryAfter;
  }
}

/** API calls always throw an `ApiProblem`; anything else is an error of the page. */
export function asProblem(thrown: unknown): ApiProblem {
  return thrown instanceof ApiProblem
    ? thrown
    : new ApiProblem({
        status: pageFault,
        code: pageFault,
        detail: thrown instanceof Error ? thrown.message : String(thrown),
      });
}
