/** Building blocks of the schemas that parameters are described with. */
import { textFormats } from "./fields/formats.ts";
import { maxOffset, type PageRule } from "./paging.ts";
import type { JsonSchema } from "./route.ts";

/** Most lists show so many. */
export const defaultPage: PageRule = { defaultLimit: 10, maxLimit: 100 };

export const pageQuery = pageQueryOf(defaultPage);

export type PageQuery = { limit?: number; offset?: number };

/** Which end of a list comes first. */
export const orderQuery = { order: { type: "string", enum: ["asc", "desc"] } } as const;

export type OrderQuery = { order?: "asc" | "desc" };

/** Of lists that know nothing but pages and their order. */
export const orderedPageSchema: JsonSchema = {
  type: "object",
  properties: { ...orderQuery, ...pageQuery },
};

export type OrderedPageQuery = PageQuery & OrderQuery;

const periodBound = { type: "string", maxLength: 40, format: "period-bound" } as const;

const [day, time] = textFormats["period-bound"].described.anyOf;

/** Elsewhere an empty bound of a period counts as not given. */
export const requiredBound = { ...periodBound, described: { anyOf: [day, time] } } as const;

/** From when to when, by days or by times. */
export const periodQuery = { since: periodBound, until: periodBound } as const;

/** On or off, as a form, a query or JSON writes it. */
export const switchField = { type: ["boolean", "integer", "string"], isSwitch: true } as const;

/** All control characters of Unicode, in a way that every language's patterns understand. */
const controls = "\\x00-\\x1f\\x7f-\\x9f";

export const oneLine = {
  pattern: `^[^${controls}]*$`,
  rule: "one line of text, without control characters",
} as const;

/** Text of one or several lines in which something can be seen. */
export const multilineText = {
  pattern: `^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*[^\\s${controls}][^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$`,
  rule: "a text that is not blank, without control characters",
} as const;

/** What a name needs beside blanks, among them those that have no width. */
const visible = `[^\\s${controls}\u200b-\u200f\u2060\ufeff]`;

/** One line in which something can be seen. */
export const nameLine = {
  pattern: `^[^${controls}]*${visible}[^${controls}]*$`,
  rule: "one line of text that is not blank",
} as const;

/** The address of somebody. Longer ones than 254 characters are no addresses. */
export const emailField = { type: "string", maxLength: 320, format: "email" } as const;

export const phoneField = { type: "string", maxLength: 64, format: "phone" } as const;

export const timestampField = { type: "string", maxLength: 40, format: "timestamp" } as const;

/** Of a change: an empty one does not count as not given, it is refused. */
export const changedTimestampField = {
  ...timestampField,
  described: { anyOf: [{ type: "string", maxLength: timestampField.maxLength }] },
} as const;

/** A service by its key, which must be there or is not given. */
export const serviceKeyField = {
  type: "string",
  pattern: "^[a-z0-9]{32}$",
  rule: "a key of 32 lower-case letters and digits",
} as const;

/** Parameters of a path that name objects by their ids. */
export function idParams(...names: string[]): JsonSchema {
  return {
    type: "object",
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: "integer", minimum: 1 }])),
  };
}

export const webhookParams = idParams("webhookId");

export type WebhookParams = { webhookId: number };

/** Which page of a list is wanted. */
export function pageQueryOf(rule: PageRule, offsetLimit = maxOffset) {
  return {
    ...limitQuery(rule),
    offset: { type: "integer", minimum: 0, maximum: offsetLimit, default: 0 },
  } as const;
}

/** How much of a list is wanted. */
export function limitQuery({ defaultLimit, maxLimit }: PageRule) {
  return {
    limit: { type: "integer", minimum: 1, maximum: maxLimit, default: defaultLimit },
  } as const;
}

/** A comma list of these words, in a text. */
export function wordList(words: readonly string[], maxLength = 255) {
  return { type: "string", maxLength, wordsOf: words } as const;
}

export function textWithoutBlanks(maxLength: number): JsonSchema {
  return {
    type: "string",
    pattern: `^[^\\s${controls}]{1,${maxLength}}$`,
    rule: `1 to ${maxLength} characters without blanks`,
  };
}

/** Building blocks of the schemas that answers are described with. */
export const text = { type: "string" } as const;

export const nullableText = { type: ["string", "null"] } as const;

export const integer = { type: "integer" } as const;

export const nullableInteger = { type: ["integer", "null"] } as const;

export const flag = { type: "boolean" } as const;

/** As `toTimestamp` writes it. */
export const timestamp = {
  type: "string",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$",
} as const;

/** The same, or null where there is none. */
export const nullableTimestamp = { ...timestamp, type: ["string", "null"] } as const;

/** The envelope of a list: how many match in all, and one page of them. */
export function listOf(title: string, item: JsonSchema): JsonSchema {
  return exactObject(title, { total: { type: "integer" }, data: { type: "array", items: item } });
}

/** A field or member under its old name, which is kept beside the new one for one version. */
export function oldNameOf(name: string, schema: JsonSchema): JsonSchema {
  return { ...schema, deprecated: true, description: `The old name of \`${name}\`` };
}

/** An object with exactly these members, all of them always there. */
export function exactObject(title: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    title,
    type: "object",
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  };
}

type JsonTypes = {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  null: null;
};

/** The TypeScript type of the values that a schema accepts. The schema is declared `as const`. */
export type ValueOf<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { type: "array"; items: infer Item }
    ? ValueOf<Item>[]
    : Schema extends { type: infer Names }
      ? JsonTypes[(Names extends readonly (infer Name)[] ? Name : Names) & keyof JsonTypes]
      : never;

type RequiredOf<Schema> = Schema extends { required: readonly (infer Name)[] } ? Name : never;

/**
 * The TypeScript type of a body, from the schema of its object: type and schema have one source.
 * Nested objects are not supported; no body needs them here.
 */
export type BodyOf<Schema extends { properties: object }> = {
  -readonly [
    Name in keyof Schema["properties"] as Name extends RequiredOf<Schema> ? Name : never
  ]: ValueOf<Schema["properties"][Name]>;
} & {
  -readonly [
    Name in keyof Schema["properties"] as Name extends RequiredOf<Schema> ? never : Name
  ]?: ValueOf<Schema["properties"][Name]>;
};
