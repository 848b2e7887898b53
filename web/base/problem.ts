/** In place of a status and of a code: the page itself is at fault, no call of the API. */
export const pageFault = -1;

/** A refusal or fault as every page handles it: what the API told, or `pageFault`. */
export class ApiProblem extends Error {
  readonly status: number;
  /** Stable number of the kind; 0 where the platform could not be reached at all. */
  readonly code: number;
  /** What was wrong with which field. */
  readonly errors: readonly Readonly<{ field: string; reason: string; detail?: string }>[];
  /** What support asks for. */
  readonly requestId: string | undefined;
  /** Seconds to wait, where the platform said so. */
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

/** Calls throw an `ApiProblem` whatever happens to them; all else is a fault of the page. */
export function asProblem(thrown: unknown): ApiProblem {
  return thrown instanceof ApiProblem
    ? thrown
    : new ApiProblem({
        status: pageFault,
        code: pageFault,
        detail: thrown instanceof Error ? thrown.message : String(thrown),
      });
}
