/**
 * Converts the text of paths, queries and forms to the types of the schema. Stricter than the
 * coercion of ajv, which accepts `0x10` and ` 7 ` as integers. Pure.
 */
import type { Fields } from "../input.ts";
import type { JsonSchema } from "../route.ts";
import { splitCommaList } from "../values.ts";

/** Includes exponents, as programs write them: `-6.1e-05` is a longitude just west of Greenwich. */
const decimal = /^-?\d{1,16}(\.\d{1,17})?(e[+-]?\d{1,3})?$/iu;

const booleanWords: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  "0": false,
  false: false,
};

export function coerceFields(fields: Fields, schema: JsonSchema): Fields {
  const properties = propertiesOf(schema);
  const coerced: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    coerced[name] = property === undefined ? value : coerce(value, property);
  }
  return coerced;
}

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema["properties"] as Readonly<Record<string, JsonSchema>> | undefined) ?? {};
}

const coercions: Readonly<Record<string, (value: unknown) => unknown>> = {
  integer: (value) =>
    typeof value === "string" && /^-?\d{1,16}$/u.test(value) && Number.isSafeInteger(Number(value))
      ? Number(value)
      : undefined,
  number: (value) =>
    typeof value === "string" && decimal.test(value) && Number.isFinite(Number(value))
      ? Number(value)
      : undefined,
  boolean: (value) => booleanWords[String(value).toLowerCase()],
};

function coerce(value: unknown, property: JsonSchema): unknown {
  const types = typesOf(property);
  if (types.includes("string") && typeof value === "string") {
    return coerceText(value, property);
  }
  for (const type of types) {
    const coerced = coercions[type]?.(value);
    if (coerced !== undefined) {
      return coerced;
    }
  }
  return value;
}

export function typesOf(property: JsonSchema | undefined): readonly string[] {
  const type = (property?.["type"] ?? []) as string | readonly string[];
  return typeof type === "string" ? [type] : type;
}

/** Enumerations ignore case and return the documented spelling. */
function coerceText(text: string, property: JsonSchema): string {
  const { enum: values, wordsOf } = property;
  if (Array.isArray(wordsOf)) {
    return splitCommaList(text)
      .map((word) => knownWord(word, wordsOf))
      .join(",");
  }
  return Array.isArray(values) ? knownWord(text, values) : text;
}

/** The enumeration value with this spelling, ignoring case; else the text itself. */
function knownWord(word: string, known: readonly unknown[]): string {
  if (known.includes(word)) {
    return word;
  }
  const lower = word.toLowerCase();
  return known.find((one): one is string => String(one).toLowerCase() === lower) ?? word;
}
