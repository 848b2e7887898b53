/** Schemas of the input in words that every reader of JSON Schema knows. Pure. */
import { findTextFormat } from "../fields/formats.ts";
import type { JsonSchema } from "../route.ts";

type Schema = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?()[\]{}|\\^$]/gu, "\\$&");
}

function sentence(rule: string): string {
  return `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`;
}

/** A comma list of known words. */
function wordsSchema(words: readonly string[]): Schema {
  const one = `(${words.map(escaped).join("|")})`;
  return {
    pattern: `^(${one}(,${one})*)?$`,
    description: `One or more of these words, separated by commas: ${words.join(", ")}`,
  };
}

const switchSchema: Schema = {
  anyOf: [
    { type: "boolean" },
    { type: "integer", enum: [0, 1] },
    { type: "string", enum: ["0", "1", "true", "false"] },
  ],
};

/** What the words of our own stand for. Where it has types of its own, they are the types. */
function meaningOf(schema: Schema): Schema {
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

/** Several types, of which each has rules of its own. */
function hasOwnTypes({ anyOf }: Schema): boolean {
  return Array.isArray(anyOf) && anyOf.every((one) => isObject(one) && one["type"] !== undefined);
}

/** Fields of which one must be there: `anyOf` with nothing but `required`. */
export function alternativesOf({ anyOf }: Schema): string[] {
  const branches = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  const areNames = branches.every((one) => Object.keys(one).join() === "required");
  return areNames ? branches.flatMap(({ required }) => required as string[]) : [];
}

/**
 * "Not without all of them", which says the same. Generators of clients make a union without any
 * member of an `anyOf` whose branches have no type; a `not` they leave alone.
 */
function withoutAlternatives(schema: Schema): Schema {
  const names = alternativesOf(schema);
  const { anyOf: _anyOf, ...rest } = schema;
  const absent = Object.fromEntries(names.map((name) => [name, { not: {} }]));
  return names.length === 0 ? schema : { ...rest, not: { properties: absent } };
}

function translate(given: Schema): Schema {
  const schema = withoutAlternatives(given);
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

function translateAll(schema: Schema): Schema {
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

/** Without the words that are known here only, at all levels. */
export function publicSchema(schema: JsonSchema): JsonSchema {
  return orEmpty(schema, translateAll(schema));
}

/**
 * A text that may be empty, since an empty one was not given, is either that or of its format: to a
 * reader of JSON Schema an empty text is no address. `given` is in our words.
 */
function orEmpty(given: Schema, described: Schema): Schema {
  const { format, type, maxLength, ...others } = described;
  const types = [type].flat();
  const isOurs = findTextFormat(given["format"]) !== undefined;
  if (format === undefined || !isOurs || "minLength" in given || !types.includes("string")) {
    return described;
  }
  const ofFormat = { type: "string", format, ...(maxLength === undefined ? {} : { maxLength }) };
  const otherTypes = types.filter((one) => one !== "string").map((one) => ({ type: one }));
  return { ...others, anyOf: [ofFormat, { type: "string", maxLength: 0 }, ...otherTypes] };
}
