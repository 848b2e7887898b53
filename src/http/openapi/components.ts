import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../route.ts";

export type Schemas = Record<string, unknown>;

export type Collector = ReturnType<typeof createCollector>;

/**
 * Collects titled schemas, so that each is defined once. Two different schemas with the same title
 * are a programming error.
 */
export function createCollector() {
  const schemas: Schemas = {};
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(lift);
    }
    if (!isObject(value)) {
      return value;
    }
    const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lift(one)]));
    const name = nameOf(value);
    if (name === undefined) {
      return inner;
    }
    if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], inner)) {
      throw new Error(`Two different schemas have the title ${name}`);
    }
    schemas[name] = inner;
    return { $ref: `#/components/schemas/${name}` };
  };
  return {
    lift: (schema: JsonSchema): unknown => lift(schema),
    /** The collected schemas by name. */
    collected: (): Schemas =>
      Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The title of a schema, if it is a type name. */
function nameOf(schema: Record<string, unknown>): string | undefined {
  const { title } = schema;
  return typeof title === "string" && /^[A-Z][A-Za-z0-9]*$/u.test(title) ? title : undefined;
}

/** Converts schemas of OpenAPI 3.1 (JSON Schema) to 3.0: one type, and `nullable`. */
export function toOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(toOpenApi30);
  }
  if (!isObject(value)) {
    return value;
  }
  const converted = withOneExample(
    withOneType(withoutNull("const" in value ? withoutConst(value) : value)),
  );
  return Object.fromEntries(Object.entries(converted).map(([key, one]) => [key, toOpenApi30(one)]));
}

function withOneExample({ examples, ...rest }: Record<string, unknown>) {
  return Array.isArray(examples)
    ? { ...rest, example: examples[0] as unknown }
    : examples === undefined
      ? rest
      : { ...rest, examples };
}

/** Converts a list of types for OpenAPI 3.0, which allows one type. */
function withOneType(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) {
    return schema;
  }
  const types = type.filter((one) => one !== "null");
  const nullable = types.length < type.length ? { nullable: true } : {};
  return types.length === 1
    ? { type: types[0] as unknown, ...rest, ...nullable }
    : { ...rest, anyOf: types.map((one: unknown) => ({ type: one })), ...nullable };
}

/** `anyOf` or `oneOf` with null among its choices. */
function withoutNull(schema: Record<string, unknown>): Record<string, unknown> {
  for (const word of ["anyOf", "oneOf"]) {
    const choices = schema[word];
    if (Array.isArray(choices) && choices.some(isNull)) {
      return { ...schema, [word]: choices.filter((one) => !isNull(one)), nullable: true };
    }
  }
  return schema;
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema["type"] === "null";
}

function withoutConst({ const: value, ...rest }: Record<string, unknown>) {
  return value === undefined || isObject(value)
    ? { ...rest, const: value }
    : { ...rest, enum: [value] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A kind of event and the body of its requests. */
export type DescribedWebhook = Readonly<{
  /** The filter that selects it: `ticket.create`. */
  name: string;
  summary: string;
  body: JsonSchema;
}>;

const text = { type: "string" };

/** Headers of every request. */
export const webhookHeaders = {
  WebhookId: header("webhook-id", "The event: the same on every attempt and replay", {
    ...text,
    pattern: "^evt_[0-9A-Za-z_-]+$",
  }),
  WebhookTimestamp: header("webhook-timestamp", "UNIX seconds of this attempt", {
    ...text,
    pattern: "^[0-9]+$",
  }),
  WebhookSignature: header(
    "webhook-signature",
    "Standard Webhooks: one `v1,` (HMAC-SHA256) for each secret, one `v1a,` (Ed25519) for each key, separated by spaces, over `<webhook-id>.<webhook-timestamp>.<body>` with the raw body",
    { ...text, pattern: "^v1a?,[A-Za-z0-9+/=]+( v1a?,[A-Za-z0-9+/=]+)*$" },
  ),
  WebhookSequence: header(
    "webhook-sequence",
    "The number of the delivery within its webhook: 1, 2, 3 …; 0 for a test",
    {
      ...text,
      pattern: "^(0|[1-9][0-9]*)$",
    },
  ),
  WebhookAttempt: header("webhook-attempt", "The number of the attempt: 1, 2, 3 …", {
    ...text,
    pattern: "^[1-9][0-9]*$",
  }),
  WebhookTest: header("webhook-test", "`true` on a test", { ...text, enum: ["true"] }, false),
  WebhookReplay: header("webhook-replay", "`true` on a replay", { ...text, enum: ["true"] }, false),
  UserAgent: header("User-Agent", "Always the same", { ...text, enum: ["Sightline Cloud"] }),
} as const;

const responses = {
  "2XX": { description: "Accepted. The response body is ignored" },
  "410": { description: "Gone: the webhook is disabled immediately" },
  default: { description: "Any other status, or a time-out: retried" },
};

/** The section `webhooks`: requests to receivers. */
export function describeWebhooks(
  webhooks: readonly DescribedWebhook[],
  collector: Collector,
): Record<string, unknown> {
  return Object.fromEntries(
    webhooks.map(({ name, summary, body }) => [
      name,
      {
        post: {
          operationId: operationId(name),
          tags: ["webhooks"],
          summary,
          parameters: Object.keys(webhookHeaders).map((key) => ({
            $ref: `#/components/parameters/${key}`,
          })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: collector.lift(body) } },
          },
          responses,
        },
      },
    ]),
  );
}

function operationId(name: string): string {
  return `receive${name
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;
}

function header(name: string, description: string, schema: JsonSchema, required = true) {
  return {
    name,
    in: "header",
    required,
    description,
    schema,
  };
}
