/** Parses text values that clients send in paths, queries and forms. Pure. */
import { invalidParameter } from "../contracts/problems.ts";
import { parsePeriodBound, parseStartTime } from "../platform/timestamps.ts";
import { textFormats } from "./fields/formats.ts";
import type { Fields } from "./input.ts";
import type { JsonSchema } from "./route.ts";

/** Includes exponents: programs write `-6.1e-05` for a longitude just west of Greenwich. */
const decimal = /^-?\d{1,16}(\.\d{1,17})?(e[+-]?\d{1,3})?$/iu;

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

/** `1` and `true`, `0` and `false`, case-insensitive. Absent: false. */
export function parseSwitch(field: string, value: boolean | number | string | undefined): boolean {
  const word = String(value ?? false).toLowerCase();
  if (word === "1" || word === "true") {
    return true;
  }
  if (word === "0" || word === "false" || word === "") {
    return false;
  }
  throw invalidParameter(
    field,
    "format",
    `The ${field} field is invalid: it must be true or false (or 1 or 0).`,
  );
}

/** The comma-separated list `scope`; `sso` is its only value. */
export function parseScope(scope: string | undefined): { wantsSso: boolean } {
  const words = (scope ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.some((word) => word !== "sso")) {
    throw invalidParameter(
      "scope",
      "unknown",
      "The scope field is invalid: the only value is sso.",
    );
  }
  return { wantsSso: words.length > 0 };
}

export function parseStart(text: string): Date {
  const start = parseStartTime(text);
  if (start === undefined) {
    throw invalidParameter(
      "startTime",
      "format",
      `The startTime field is invalid: it must be ${textFormats.timestamp.rule}.`,
    );
  }
  return start;
}

export function minutesAfter(start: Date, minutes: number): Date {
  return new Date(start.getTime() + minutes * 60_000);
}

/** A bound of a period: a day or a timestamp. Undefined if absent. */
export function parseBound(bound: "since" | "until", text: string | undefined): Date | undefined {
  const input = orNull(text);
  if (input === null) {
    return undefined;
  }
  const date = parsePeriodBound(input, bound);
  if (date === undefined) {
    throw invalidParameter(
      bound,
      "format",
      `The ${bound} field is invalid: it must be ${textFormats["period-bound"].rule}.`,
    );
  }
  return date;
}

/** Forms send an empty text for an empty field. */
export function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === "" ? null : text;
}

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
  // `String` of an object calls a `toString` that the client may have sent.
  boolean: (value) =>
    typeof value === "string" || typeof value === "number"
      ? booleanWords.get(String(value).toLowerCase())
      : undefined,
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
  if (exceedsMaxLength(text, property)) {
    return text;
  }
  if (Array.isArray(wordsOf)) {
    return splitCommaList(text)
      .map((word) => knownWord(word, wordsOf))
      .join(",");
  }
  return Array.isArray(values) ? knownWord(text, values) : text;
}

/**
 * Whether a text, up to the largest body, is longer than `maxLength` in any case: that counts code
 * points, of which each has at most two units.
 */
export function exceedsMaxLength(text: string, { maxLength }: JsonSchema): boolean {
  return typeof maxLength === "number" && text.length > 2 * maxLength;
}

/** Splits a comma-separated list and drops empty items. */
export function splitCommaList(list: string): string[] {
  return list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** The enumeration value with this spelling, ignoring case; else the text itself. */
function knownWord(word: string, known: readonly unknown[]): string {
  if (known.includes(word)) {
    return word;
  }
  const lower = word.toLowerCase();
  return known.find((one): one is string => String(one).toLowerCase() === lower) ?? word;
}

/** A period as a caller asks for it: by default it ends now and has the length of the operation. */
export type RequestedPeriod = { since: Date | undefined; until: Date | undefined };

/**
 * The bounds of a period in a query, as `periodQuery` describes them. Throws if it ends before it
 * starts.
 */
export function parsePeriod(query: { since?: string; until?: string }): RequestedPeriod {
  const since = parseBound("since", query.since);
  const until = parseBound("until", query.until);
  if (since !== undefined && until !== undefined && until < since) {
    throw invalidParameter("until", "range", "until must not be before since.");
  }
  return { since, until };
}

/** The period without its future, and with its defaults. Throws if it ends before it starts. */
export function resolvePeriod(
  asked: RequestedPeriod,
  { now, defaultMs }: { now: Date; defaultMs: number },
): { since: Date; until: Date } {
  const until = asked.until === undefined || asked.until > now ? now : asked.until;
  const since = asked.since ?? new Date(until.getTime() - defaultMs);
  if (since >= until) {
    throw invalidParameter("until", "range", "until must be after since.");
  }
  return { since, until };
}

/**
 * Cuts a text to `length` without splitting a surrogate pair, half of which Postgres cannot store.
 */
export function truncate(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, "");
}
