/**
 * Every error a client can see. `code` and `status` are part of the interface; `slug` is the last
 * part of the problem's `type` URL.
 */
export const problemCatalogue = {
  internal: { code: 1, status: 500, slug: "internal", title: "Internal error" },
  dependency_down: {
    code: 2,
    status: 503,
    slug: "dependency-down",
    title: "Dependency unavailable",
  },
  no_token: { code: 3, status: 401, slug: "no-token", title: "No token" },
  bad_token: {
    code: 4,
    status: 401,
    slug: "bad-token",
    title: "Invalid, expired or revoked token",
  },
  bad_login: { code: 5, status: 401, slug: "bad-login", title: "Wrong login or password" },
  forbidden: { code: 6, status: 403, slug: "forbidden", title: "Missing permission" },
  csrf: { code: 7, status: 403, slug: "csrf", title: "Cross-site request rejected" },
  not_found: { code: 8, status: 404, slug: "not-found", title: "Not found" },
  missing_parameter: {
    code: 9,
    status: 400,
    slug: "missing-parameter",
    title: "Missing parameter",
  },
  invalid_parameter: {
    code: 10,
    status: 400,
    slug: "invalid-parameter",
    title: "Invalid parameter",
  },
  conflict: { code: 11, status: 409, slug: "conflict", title: "Conflict with the current state" },
  rate_limited: { code: 12, status: 429, slug: "rate-limited", title: "Rate limit reached" },
  too_large: { code: 13, status: 413, slug: "too-large", title: "Too large" },
  unsupported_media_type: {
    code: 14,
    status: 415,
    slug: "unsupported-media-type",
    title: "Unsupported media type",
  },
  method_not_allowed: {
    code: 15,
    status: 405,
    slug: "method-not-allowed",
    title: "Method not allowed",
  },
  quota_reached: { code: 16, status: 403, slug: "quota-reached", title: "Quota reached" },
  gone: { code: 17, status: 410, slug: "gone", title: "Link or room has expired" },
  feature_off: {
    code: 18,
    status: 403,
    slug: "feature-off",
    title: "Feature or subscription is disabled",
  },
  not_acceptable: {
    code: 19,
    status: 406,
    slug: "not-acceptable",
    title: "Not acceptable",
  },
  headers_too_large: {
    code: 20,
    status: 431,
    slug: "headers-too-large",
    title: "Request line and headers too large",
  },
} as const satisfies Record<string, { code: number; status: number; slug: string; title: string }>;

export type ProblemKind = keyof typeof problemCatalogue;

/** One error of one field. `reason` is a stable code: `required`, `format`, `unknown`, … */
export type FieldFault = { field: string; reason: string };

/** An error that the client sees. The error handler maps everything else to `internal`. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly details: string | undefined;
  readonly errors: readonly FieldFault[];
  readonly headers: Readonly<Record<string, string>>;
  /** The `error` code of RFC 6749, on answers of the token endpoint. */
  readonly error: string | undefined;

  constructor(kind: ProblemKind, detail: string, more: ProblemExtras = {}) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "Problem";
    this.kind = kind;
    this.details = more.details;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
    this.error = more.error;
  }
}

/** Says which problem an error is. */
export type ToFault = (thrown: unknown) => Problem;

export type ProblemExtras = {
  /** For clients that read the older member: `Parameter phone`, `Transition done → invited`. */
  details?: string;
  errors?: readonly FieldFault[];
  headers?: Readonly<Record<string, string>>;
  error?: string;
  cause?: unknown;
};

/**
 * The 400 for an invalid field: code 10, `details: "Parameter <field>"`. `text` says what is valid.
 */
export function invalidParameter(field: string, reason: string, text: string): Problem {
  return fieldProblem([{ field, reason }], [text]);
}

/** The 400 for a missing required field: code 9. */
export function missingParameter(field: string, text?: string): Problem {
  return fieldProblem([{ field, reason: "required" }], [text ?? `The ${field} field is required.`]);
}

/**
 * Runs all checks at once, so that their reads share a round trip, and throws one problem for all
 * invalid fields, in the order of the checks. Other errors are thrown unchanged.
 */
export async function checkAll(...checks: readonly (() => unknown)[]): Promise<void> {
  const results = await Promise.allSettled(checks.map(async (check) => check()));
  const refused = results.flatMap((result) => {
    if (result.status === "fulfilled") {
      return [];
    }
    if (!isFieldProblem(result.reason)) {
      throw result.reason;
    }
    return [result.reason];
  });
  if (refused.length > 0) {
    throw mergeProblems(refused);
  }
}

/** Synchronous variant of `checkAll`. */
export function checkEach(...checks: readonly (() => void)[]): void {
  const refused = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (thrown) {
      if (isFieldProblem(thrown)) {
        return [thrown];
      }
      throw thrown;
    }
  });
  if (refused.length > 0) {
    throw mergeProblems(refused);
  }
}

/**
 * Returns the result of `make`. If it throws a field problem, runs the checks too and throws one
 * problem for all invalid fields.
 */
export async function makeAndCheck<T>(
  make: () => T,
  checkRest: () => Promise<unknown>,
): Promise<T> {
  try {
    return make();
  } catch (thrown) {
    const more = isFieldProblem(thrown) ? await fieldProblemOf(checkRest) : undefined;
    throw isFieldProblem(thrown) && more !== undefined ? mergeProblems([thrown, more]) : thrown;
  }
}

/** The field problem that a check throws; undefined if it throws nothing or another error. */
export async function fieldProblemOf(check: () => unknown): Promise<Problem | undefined> {
  try {
    await check();
    return undefined;
  } catch (thrown) {
    return isFieldProblem(thrown) ? thrown : undefined;
  }
}

function isFieldProblem(thrown: unknown): thrown is Problem {
  return (
    thrown instanceof Problem &&
    (thrown.kind === "invalid_parameter" || thrown.kind === "missing_parameter")
  );
}

/** Merges field problems into one that names each field once. */
export function mergeProblems(problems: readonly Problem[]): Problem {
  const isMissing = ({ kind }: Problem): boolean => kind === "missing_parameter";
  const sorted = [...problems.filter(isMissing), ...problems.filter((one) => !isMissing(one))];
  const errors = new Map<string, FieldFault>();
  const texts = new Set<string>();
  for (const one of sorted) {
    const added = one.errors.filter(({ field }) => !errors.has(field));
    added.forEach((fault) => errors.set(fault.field, fault));
    if (added.length > 0) {
      texts.add(one.message);
    }
  }
  return fieldProblem([...errors.values()], [...texts]);
}

/** Maximum number of sentences in an answer: nobody reads more. */
const maxTexts = 5;

/**
 * The 400 for invalid fields: code 9 if one is missing, else code 10. `details` names the first
 * field, `detail` says what is valid.
 */
export function fieldProblem(errors: readonly FieldFault[], texts: readonly string[]): Problem {
  const isMissing = errors.some(({ reason }) => reason === "required");
  return problem(
    isMissing ? "missing_parameter" : "invalid_parameter",
    texts.slice(0, maxTexts).join(" "),
    { details: `Parameter ${errors[0]?.field ?? "body"}`, errors },
  );
}

/** Returns the value or throws a 404 that names the object: `orNotFound(ticket, "Ticket", 12)`. */
export function orNotFound<T>(found: T | undefined, noun: string, id: number | string): T {
  if (found === undefined) {
    throw problem("not_found", `${noun} ${id} was not found.`);
  }
  return found;
}

/** `throw problem("not_found", "Ticket 12 was not found.")` */
export function problem(kind: ProblemKind, detail: string, more?: ProblemExtras): Problem {
  return new Problem(kind, detail, more);
}

export function webhookNotFound(id: number): Problem {
  return problem("not_found", `Webhook ${id} was not found.`);
}
