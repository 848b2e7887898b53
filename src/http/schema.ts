/** Building blocks for the schemas of parameters, bodies and answers. */
import { toTimestamp } from "../platform/timestamps.ts";
import { textFormats } from "./fields/formats.ts";
import { maxOffset, type PageRule } from "./paging.ts";
import type { JsonSchema } from "./route.ts";

/** The page sizes of most lists. */
export const defaultPage: PageRule = { defaultLimit: 10, maxLimit: 100 };

export const pageQuery = pageQueryOf(defaultPage);

export type PageQuery = { limit?: number; offset?: number };

/** The sort direction of a list. */
export const orderQuery = { order: { type: "string", enum: ["asc", "desc"] } } as const;

export type OrderQuery = { order?: "asc" | "desc" };

/** What lists of tickets, conferences and files can be ordered by. */
export const orderings = ["date", "modified", "start_time", "id"] as const;

export type Ordering = (typeof orderings)[number];

/** The query of lists that have only paging and order. */
export const orderedPageSchema: JsonSchema = {
  type: "object",
  properties: { ...orderQuery, ...pageQuery },
};

export type OrderedPageQuery = PageQuery & OrderQuery;

const periodBound = { type: "string", maxLength: 40, format: "period-bound" } as const;

const [day, time] = textFormats["period-bound"].described.anyOf;

/** A required bound of a period. Optional bounds may be empty. */
export const requiredBound = { ...periodBound, described: { anyOf: [day, time] } } as const;

/** The bounds of a period: days or timestamps. */
export const periodQuery = { since: periodBound, until: periodBound } as const;

/** A boolean as forms, queries and JSON write it. */
export const switchField = { type: ["boolean", "integer", "string"], isSwitch: true } as const;

/** All Unicode control characters, in a syntax that every regular expression engine supports. */
const controls = "\\x00-\\x1f\\x7f-\\x9f";

export const oneLine = {
  pattern: `^[^${controls}]*$`,
  rule: "one line of text, without control characters",
} as const;

/** The white space of `\s` that is no control character. */
const blanks = " \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/**
 * Single-line or multi-line text with at least one visible character. What comes before the first one
 * cannot match it: otherwise the cost of a text that ends wrongly would grow with the square of its length.
 */
export const multilineText = {
  pattern: `^[\\t\\n\\r${blanks}]*[^\\s${controls}][^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$`,
  rule: "a text that is not blank, without control characters",
} as const;

const zeroWidth = "\u200b-\u200f\u2060\ufeff";

/** A single line with at least one character that is visible: neither white space nor of zero width. */
export const nameLine = {
  pattern: `^[${blanks}${zeroWidth}]*[^\\s${controls}${zeroWidth}][^${controls}]*$`,
  rule: "one line of text that is not blank",
} as const;

/** An email address. The format rejects those longer than 254 characters. */
export const emailField = { type: "string", maxLength: 320, format: "email" } as const;

export const phoneField = { type: "string", maxLength: 64, format: "phone" } as const;

export const timestampField = { type: "string", maxLength: 40, format: "timestamp" } as const;

/** In a change an empty value is rejected instead of ignored. */
export const changedTimestampField = {
  ...timestampField,
  described: { anyOf: [{ type: "string", maxLength: timestampField.maxLength }] },
} as const;

/** The key of a service; an empty text is invalid. */
export const serviceKeyField = {
  type: "string",
  pattern: "^[a-z0-9]{32}$",
  rule: "a key of 32 lower-case letters and digits",
} as const;

/** Path parameters that are ids. */
export function idParams(...names: string[]): JsonSchema {
  return {
    type: "object",
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: "integer", minimum: 1 }])),
  };
}

export const webhookParams = idParams("webhookId");

export type WebhookParams = { webhookId: number };

/** The paging parameters of a list. */
export function pageQueryOf(rule: PageRule, offsetLimit = maxOffset) {
  return {
    ...limitQuery(rule),
    offset: { type: "integer", minimum: 0, maximum: offsetLimit, default: 0 },
  } as const;
}

/** The `limit` parameter of a list. */
export function limitQuery({ defaultLimit, maxLimit }: PageRule) {
  return {
    limit: { type: "integer", minimum: 1, maximum: maxLimit, default: defaultLimit },
  } as const;
}

/** A comma-separated list of these words. */
export function wordList(words: readonly string[], maxLength = 255) {
  return { type: "string", maxLength, wordsOf: words } as const;
}

export function textWithoutBlanks(maxLength: number): JsonSchema {
  return {
    type: "string",
    pattern: `^[^\\s${controls}]{1,${maxLength}}$`,
    rule: `1 to ${maxLength} characters without spaces`,
  };
}

/** Building blocks for answers. */
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

/** A timestamp or null. */
export const nullableTimestamp = { ...timestamp, type: ["string", "null"] } as const;

/** The envelope of a list: the total and one page. */
export function listOf(title: string, item: JsonSchema): JsonSchema {
  return exactObject(title, { total: { type: "integer" }, data: { type: "array", items: item } });
}

/** A member under its old name, kept beside the new one for one version. */
export function oldNameOf(name: string, schema: JsonSchema): JsonSchema {
  return { ...schema, deprecated: true, description: `The old name of \`${name}\`` };
}

/** An object with exactly these members, all required. */
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

/** The members of `presentEventId`. */
export const eventIdMembers = eventIdMembersOf(text);

/** For answers about events that may no longer be stored. */
export const nullableEventIdMembers = eventIdMembersOf(nullableText);

function eventIdMembersOf(schema: JsonSchema) {
  return { event_id: schema, webhook_id: oldNameOf("event_id", schema) };
}

/** `webhook_id` is the old name of `event_id`; answers keep it for one version. */
export function presentEventId<Id extends string | null>(eventId: Id) {
  return { event_id: eventId, webhook_id: eventId };
}

/** The members that identify and describe an event in answers. */
export const eventSummaryMembers = {
  ...eventIdMembers,
  object: text,
  event: text,
  event_type: nullableText,
  object_id: { type: ["integer", "string"] },
  time: timestamp,
};

export function presentEventSummary(
  event: Readonly<{
    eventId: string;
    object: string;
    event: string;
    eventType: string | null;
    objectId: string;
    occurredAt: Date;
  }>,
) {
  return {
    ...presentEventId(event.eventId),
    object: event.object,
    event: event.event,
    event_type: event.eventType,
    object_id: presentObjectId(event.objectId),
    time: toTimestamp(event.occurredAt),
  };
}

/**
 * The id of an object as the API shows it: an integer, or a string for objects with a public uid.
 */
export function presentObjectId(objectId: string): number | string {
  return /^\d{1,15}$/u.test(objectId) ? Number(objectId) : objectId;
}
