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

/** One fault of one field. `reason` is a stable word: `required`, `format`, `unknown`, … */
export type FieldFault = { field: string; reason: string };

/** An error meant for the client. Anything else that is thrown becomes `internal` in one handler. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly details: string | undefined;
  readonly errors: readonly FieldFault[];
  readonly headers: Readonly<Record<string, string>>;
  /** The `error` word of RFC 6749, on answers of the token endpoint. */
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

export type ProblemExtras = {
  /** For machines that read the older member: `Parameter phone`, `Transition done → invited`. */
  details?: string;
  errors?: readonly FieldFault[];
  headers?: Readonly<Record<string, string>>;
  error?: string;
  cause?: unknown;
};

/**
 * A field that was given but cannot be accepted: 400, code 10, `details: "Parameter <field>"`. The
 * text says what would be right.
 */
export function invalidParameter(field: string, reason: string, text: string): Problem {
  return fieldProblem([{ field, reason }], [text]);
}

/** A required field that was not given: 400, code 9. */
export function missingParameter(field: string, text?: string): Problem {
  return fieldProblem([{ field, reason: "required" }], [text ?? `The ${field} field is required.`]);
}

/**
 * Makes all of the checks, also after one has refused a field, and then refuses all these fields at
 * once. Whatever else a check throws is thrown as it is. The checks run one after the other: they
 * may share a transaction.
 */
export async function checkAll(...checks: readonly (() => unknown)[]): Promise<void> {
  const refused: Problem[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (thrown) {
      if (!isFieldProblem(thrown)) {
        throw thrown;
      }
      refused.push(thrown);
    }
  }
  if (refused.length > 0) {
    throw mergeProblems(refused);
  }
}

/** The same for checks that need not be waited for. */
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

/** What is made; or, where making it refuses a field, that refusal and what else is at fault. */
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

/** The refusal of fields that the check ends in. Undefined where it ends well, or otherwise. */
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

/** Several refusals of fields as one, which names each field once. */
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

/** Texts of more faults than this make an answer that nobody reads. */
const maxTexts = 5;

/**
 * The 400 of fields at fault: code 9 where one is missing, else code 10. The first one stands in
 * `details`, what would be right in `detail`.
 */
export function fieldProblem(errors: readonly FieldFault[], texts: readonly string[]): Problem {
  const isMissing = errors.some(({ reason }) => reason === "required");
  return problem(
    isMissing ? "missing_parameter" : "invalid_parameter",
    texts.slice(0, maxTexts).join(" "),
    { details: `Parameter ${errors[0]?.field ?? "body"}`, errors },
  );
}

/** The value, or the 404 of the object that has no such id: `orNotFound(ticket, "Ticket", 12)`. */
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
