/**
 * Every error a client can see. `code` and `status` are part of the interface; `slug` is the last
 * part of the problem's `type` URL.
 */
export const problemCatalogue = {
  internal: { code: 1, status: 500, slug: "internal", title: "Internal error" },
  dependency_down: { code: 2, status: 503, slug: "dependency-down", title: "Dependency down" },
  no_token: { code: 3, status: 401, slug: "no-token", title: "No token" },
  bad_token: { code: 4, status: 401, slug: "bad-token", title: "Bad, expired or revoked token" },
  bad_login: { code: 5, status: 401, slug: "bad-login", title: "Bad login" },
  forbidden: { code: 6, status: 403, slug: "forbidden", title: "Role lacks permission" },
  csrf: { code: 7, status: 403, slug: "csrf", title: "Cross-site request refused" },
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
  conflict: { code: 11, status: 409, slug: "conflict", title: "State does not allow it" },
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
  gone: { code: 17, status: 410, slug: "gone", title: "Link or room is over" },
  feature_off: {
    code: 18,
    status: 403,
    slug: "feature-off",
    title: "Feature or subscription is off",
  },
  not_acceptable: {
    code: 19,
    status: 406,
    slug: "not-acceptable",
    title: "Answers are JSON only",
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

/** `throw problem("not_found", "Ticket 12 was not found.")` */
export const problem = (kind: ProblemKind, detail: string, more?: ProblemExtras): Problem =>
  new Problem(kind, detail, more);

/** A field that was given but cannot be accepted: 400, code 10, `details: "Parameter <field>"`. */
export const invalidParameter = (field: string, reason: string, detail?: string): Problem =>
  problem("invalid_parameter", detail ?? `The selected ${field} field is invalid.`, {
    details: `Parameter ${field}`,
    errors: [{ field, reason }],
  });

/** A required field that was not given: 400, code 9. */
export const missingParameter = (field: string, detail?: string): Problem =>
  problem("missing_parameter", detail ?? `The ${field} field is required.`, {
    details: `Parameter ${field}`,
    errors: [{ field, reason: "required" }],
  });
