import { problem, problemCatalogue, type ProblemKind } from "../../contracts/problems.ts";
import { problemBody, type ProblemBody } from "../answer.ts";
import type { AnyRoute } from "../route.ts";

/** The JSON schema of every problem. */
export const problemSchema = {
  title: "Problem",
  type: "object",
  additionalProperties: false,
  required: [
    ...["type", "title", "status", "detail", "instance", "code", "message", "details", "errors"],
  ],
  properties: {
    type: {
      type: "string",
      format: "uri",
      description: "Address of the documentation of the problem",
    },
    title: { type: "string" },
    status: { type: "integer", description: "HTTP status" },
    detail: { type: "string" },
    instance: { type: "string", pattern: "^urn:uuid:", description: "The id of the request" },
    code: { type: "integer", minimum: 1, description: "Stable code of the problem" },
    message: { type: "string", description: "The same as `detail`" },
    details: {
      type: "string",
      description:
        "The cause, in a fixed form: `Parameter phone`, `Header Idempotency-Key`, `Permission tickets.write`, `Transition done → invited`. Empty if there is no specific cause.",
    },
    errors: {
      type: "array",
      description: "All invalid fields",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["field", "reason"],
        properties: {
          field: {
            type: "string",
            minLength: 1,
            description: "`headers[0].name` inside lists; `body` for the body as a whole",
          },
          reason: { type: "string", minLength: 1, description: "A stable word: `format`, `range`" },
        },
      },
    },
    error: {
      type: "string",
      description:
        "A code for programs: at `/api/token` that of RFC 6749, on 429 `too_many_requests`",
    },
  },
} as const;

type NamedRefusal = { name: string; status: number; response: unknown };

/** The error answers of an operation, one per status. Equal answers share a name. */
export function describeRefusals(route: AnyRoute): NamedRefusal[] {
  const byStatus = new Map<number, ProblemKind[]>();
  for (const kind of problemsOf(route)) {
    const { status } = problemCatalogue[kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, kinds]) => describe(status, kinds));
}

/** Problems that every operation can answer. */
const common: readonly ProblemKind[] = [
  "invalid_parameter",
  "missing_parameter",
  "not_acceptable",
  "rate_limited",
  "headers_too_large",
  "internal",
  "dependency_down",
];

/** Every problem that an operation can answer, by code. */
export function problemsOf(route: AnyRoute): ProblemKind[] {
  const kinds = new Set<ProblemKind>([...common, ...byKind(route), ...(route.problems ?? [])]);
  if (route.path.includes("{")) {
    kinds.add("not_found");
  }
  if (route.method !== "GET") {
    (["conflict", "too_large", "unsupported_media_type"] as const).forEach((one) => kinds.add(one));
  }
  return [...kinds].toSorted((a, b) => codeOf(a) - codeOf(b));
}

function byKind(route: AnyRoute): readonly ProblemKind[] {
  switch (route.permission) {
    case "public":
      return ["gone"];
    case "guest":
      return ["no_token", "bad_token", "forbidden", "gone"];
    default:
      return ["no_token", "bad_token", "forbidden", "csrf", "feature_off"];
  }
}

function describe(status: number, kinds: readonly ProblemKind[]): NamedRefusal {
  const [first] = kinds;
  const codes = kinds.map((kind) => problemCatalogue[kind].code);
  const headers = headersOf(status);
  const words = kinds.map((kind) => `${problemCatalogue[kind].title} (code ${codeOf(kind)})`);
  return {
    name: `Problem${status}Code${codes.join("Or")}`,
    status,
    response: {
      description: words.join("; "),
      ...(headers === undefined ? {} : { headers }),
      content: {
        "application/problem+json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Problem" },
              { type: "object", properties: { code: { type: "integer", enum: codes } } },
            ],
          },
          ...(first === undefined ? {} : { example: exampleOf(first) }),
        },
      },
    },
  };
}

function headersOf(status: number): object | undefined {
  const ref = (name: string) => ({ $ref: `#/components/headers/${name}` });
  switch (status) {
    case 401:
      return { "WWW-Authenticate": ref("WWW-Authenticate") };
    case 429:
      return {
        "Retry-After": ref("Retry-After"),
        "X-RateLimit-Limit": ref("X-RateLimit-Limit"),
        "X-RateLimit-Remaining": ref("X-RateLimit-Remaining"),
        "X-RateLimit-Reset": ref("X-RateLimit-Reset"),
      };
    case 503:
      return { "Retry-After": ref("Retry-After") };
    default:
      return undefined;
  }
}

function codeOf(kind: ProblemKind): number {
  return problemCatalogue[kind].code;
}

/** An example of the problem. */
function exampleOf(kind: ProblemKind): ProblemBody {
  return problemBody(problem(kind, `${problemCatalogue[kind].title}.`), {
    baseUrl: "https://sightline.example",
    requestId: "0f8fad5b-d9cb-469f-a165-70867728950e",
    isOauth: false,
  });
}
