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
