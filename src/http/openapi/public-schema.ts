/** Converts input schemas to standard JSON Schema. Pure. */
import { findTextFormat } from "../fields/formats.ts";
import type { JsonSchema } from "../route.ts";

type SchemaObject = Readonly<Record<string, unknown>>;

/** The schema in standard keywords, with the limits that apply to all input. */
export function acceptedSchema(schema: JsonSchema): JsonSchema {
  return withLimits(publicSchema(schema));
}

function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?()[\]{}|\\^$]/gu, "\\$&");
}

function sentence(rule: string): string {
  return `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`;
}

/** A comma-separated list of known words. */
function wordsSchema(words: readonly string[]): SchemaObject {
  const one = `(${words.map(escaped).join("|")})`;
  return {
    pattern: `^(${one}(,${one})*)?$`,
    description: `Comma-separated list of: ${words.join(", ")}`,
  };
}

const switchSchema: SchemaObject = {
  anyOf: [
    { type: "boolean" },
    { type: "integer", enum: [0, 1] },
    { type: "string", enum: ["0", "1", "true", "false"] },
  ],
};

/** The standard equivalent of our custom keywords. */
function meaningOf(schema: SchemaObject): SchemaObject {
  const { format, wordsOf, isSwitch, described } = schema;
  const textFormat = findTextFormat(format);
  return {
    ...(textFormat === undefined
      ? {}
      : { description: sentence(textFormat.rule), ...textFormat.described }),
    ...(Array.isArray(wordsOf) ? wordsSchema(wordsOf as string[]) : {}),
    ...(isSwitch === true ? switchSchema : {}),
    ...(isObject(described) ? described : {}),
  };
}

/** Whether `anyOf` defines the types, each with its own rules. */
function hasOwnTypes({ anyOf }: SchemaObject): boolean {
  return Array.isArray(anyOf) && anyOf.every((one) => isObject(one) && one["type"] !== undefined);
}

/** Alternative required fields: `anyOf` with nothing but `required`. */
export function alternativesOf({ anyOf }: SchemaObject): string[] {
  const branches = Array.isArray(anyOf) ? (anyOf as SchemaObject[]) : [];
  const areNames = branches.every((one) => Object.keys(one).join() === "required");
  return areNames ? branches.flatMap(({ required }) => required as string[]) : [];
}

/**
 * Expresses alternatives as `not`: client generators turn an `anyOf` with untyped branches into a
 * union without members, and ignore a `not`.
 */
function withoutAlternatives(schema: SchemaObject): SchemaObject {
  const names = alternativesOf(schema);
  const { anyOf: _anyOf, ...rest } = schema;
  const absent = Object.fromEntries(names.map((name) => [name, { not: {} }]));
  return names.length === 0 ? schema : { ...rest, not: { properties: absent } };
}

function translate(input: SchemaObject): SchemaObject {
  const schema = withoutAlternatives(input);
  const { rule, wordsOf: _words, isSwitch: _switch, described: _described, ...rest } = schema;
  const meaning = meaningOf(schema);
  const { format, type, maxLength, ...others } = rest;
  const kept = {
    ...(type === undefined || hasOwnTypes(meaning) ? {} : { type }),
    ...(maxLength === undefined || hasOwnTypes(meaning) ? {} : { maxLength }),
    ...(format === undefined || findTextFormat(format) !== undefined ? {} : { format }),
  };
  const said = typeof rule === "string" ? { description: sentence(rule) } : {};
  return { ...kept, ...said, ...meaning, ...others };
}

function isNamesOf(key: string): boolean {
  return key === "properties";
}

function translateAll(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(
    Object.entries(translate(schema)).map(([key, value]) => [
      key,
      isNamesOf(key) && isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, one]) => [
              name,
              isObject(one) ? publicSchema(one) : one,
            ]),
          )
        : inner(value),
    ]),
  );
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => (isObject(one) ? publicSchema(one) : one));
  }
  return isObject(value) ? publicSchema(value) : value;
}

/** Removes our custom keywords at all levels. */
export function publicSchema(schema: JsonSchema): JsonSchema {
  return orEmpty(schema, translateAll(schema));
}

/**
 * A text of a format that may also be empty, because an empty text counts as absent: in JSON Schema
 * an empty text is not a valid email address. `input` has our custom keywords.
 */
function orEmpty(input: SchemaObject, described: SchemaObject): SchemaObject {
  const { format, type, maxLength, pattern, ...others } = described;
  const types = [type].flat();
  const isOurs = findTextFormat(input["format"]) !== undefined;
  if (format === undefined || !isOurs || "minLength" in input || !types.includes("string")) {
    return described;
  }
  const ofFormat = {
    ...{ type: "string", format },
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(pattern === undefined ? {} : { pattern }),
  };
  const otherTypes = types.filter((one) => one !== "string").map((one) => ({ type: one }));
  return { ...others, anyOf: [ofFormat, { type: "string", maxLength: 0 }, ...otherTypes] };
}

function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function takes({ type }: JsonSchema, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

function hasKeyword(schema: JsonSchema, ...words: string[]): boolean {
  return words.some((word) => schema[word] !== undefined);
}

/** The limits that apply to every field before its own schema: see ../input.ts. */
function limitsOf(schema: JsonSchema): JsonSchema {
  return {
    ...(takes(schema, "integer") && !hasKeyword(schema, "maximum", "enum")
      ? { maximum: Number.MAX_SAFE_INTEGER }
      : {}),
    ...(takes(schema, "string") && !hasKeyword(schema, "pattern", "enum", "format")
      ? { pattern: "^[^\\x00]*$" }
      : {}),
  };
}

function withLimits(schema: JsonSchema): JsonSchema {
  return {
    ...Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, limitInner(key, value)]),
    ),
    ...limitsOf(schema),
  };
}

function limitInner(key: string, value: unknown): unknown {
  if (key === "properties" && isSchemaObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        isSchemaObject(one) ? withLimits(one) : one,
      ]),
    );
  }
  if (key === "items" && isSchemaObject(value)) {
    return withLimits(value);
  }
  return ["anyOf", "oneOf"].includes(key) && Array.isArray(value)
    ? value.map((one: unknown) => (isSchemaObject(one) ? withLimits(one) : one))
    : value;
}
