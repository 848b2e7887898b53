/** What a client may send, as every reader of JSON Schema knows it. Pure. */
import type { JsonSchema } from "../route.ts";
import { publicSchema } from "./public-schema.ts";

/** A schema of the input in public words, with what is refused everywhere. */
export function acceptedSchema(schema: JsonSchema): JsonSchema {
  return withLimits(publicSchema(schema));
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function takes({ type }: JsonSchema, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

function has(schema: JsonSchema, ...words: string[]): boolean {
  return words.some((word) => schema[word] !== undefined);
}

/** What is refused in every field, before its own rules are asked: see ../input.ts. */
function limitsOf(schema: JsonSchema): JsonSchema {
  return {
    ...(takes(schema, "integer") && !has(schema, "maximum", "enum")
      ? { maximum: Number.MAX_SAFE_INTEGER }
      : {}),
    ...(takes(schema, "string") && !has(schema, "pattern", "enum", "format")
      ? { pattern: "^[^\\x00]*$" }
      : {}),
  };
}

function withLimits(schema: JsonSchema): JsonSchema {
  return {
    ...Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inner(key, value)])),
    ...limitsOf(schema),
  };
}

function inner(key: string, value: unknown): unknown {
  if (key === "properties" && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, isObject(one) ? withLimits(one) : one]),
    );
  }
  if (key === "items" && isObject(value)) {
    return withLimits(value);
  }
  return ["anyOf", "oneOf"].includes(key) && Array.isArray(value)
    ? value.map((one: unknown) => (isObject(one) ? withLimits(one) : one))
    : value;
}
