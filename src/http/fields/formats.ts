/**
 * Named text formats: validator, error sentence, and JSON Schema for the API description. Empty
 * strings count as absent; use minLength to forbid them.
 */
import { actionsOfObject, objectKinds } from "../../contracts/events.ts";
import { findUnknownPart, parseFilter } from "../../contracts/filters.ts";
import { sessionEventTypes } from "../../contracts/session-events.ts";
import { parseEmail, parsePhone } from "../../platform/contact.ts";
import { meetsPasswordRule, passwordRule } from "../../contracts/password-rule.ts";
import {
  isTimeZone,
  parsePeriodBound,
  parseStartTime,
  parseTimestamp,
} from "../../platform/timestamps.ts";
import { printable } from "../input.ts";
import type { JsonSchema } from "../route.ts";

export type TextFormat = Readonly<{
  isRight: (text: string) => boolean;
  /** The stable reason, if it is not `format`. */
  reason?: string;
  /** Completes the sentence "it must be …". */
  rule: string;
  /** What this text lacks, if known. */
  advice?: (text: string) => string | undefined;
  /** As JSON Schema, for the description of the API. */
  described: JsonSchema;
}>;

const withoutOffset = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/u;

/** The first year is 1970 or later; 100 or later. */
const from1970 = "^(19[7-9]|[2-9][0-9][0-9])[0-9]-";

const from100 = "^(0[1-9]|[1-9][0-9])[0-9][0-9]-";

const day = /^\d{4}-\d{2}-\d{2}$/u;

/** Allows the separators that people write in phone numbers. */
const phonePattern = "^(\\+|00)[1-9][0-9 ().\\-/]{4,40}$|^$";

/** The filters that `parseFilter` accepts, as a pattern. */
const filterPattern = `^(${[
  "\\*",
  "\\*\\.(\\*|create|update|delete)",
  ...objectKinds.map((object) => `${object}\\.${oneOf(["*", ...actionsOfObject[object]])}`),
  `conversationevent\\.(\\*|create):${oneOf(["*", ...sessionEventTypes])}`,
].join("|")})$`;

export const textFormats = {
  email: {
    isRight: (text) => parseEmail(text) !== undefined,
    rule: "an email address, such as ann@example.com",
    described: { format: "email" },
  },
  phone: {
    isRight: (text) => parsePhone(text) !== undefined,
    rule: "a phone number with its country code, such as +33612345678",
    advice: countryCodeAdvice,
    described: { pattern: phonePattern, examples: ["+33612345678"] },
  },
  timestamp: {
    isRight: (text) => parseStartTime(text) !== undefined,
    rule: "a time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00",
    advice: startAdvice,
    described: { format: "date-time", pattern: from1970, examples: ["2026-12-01T10:00:00+01:00"] },
  },
  /** The start or the end of a period. */
  "period-bound": {
    isRight: (text) => parsePeriodBound(text, "since") !== undefined,
    rule: "a day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)",
    advice: boundAdvice,
    described: {
      anyOf: [
        { type: "string", format: "date", pattern: from100 },
        { type: "string", format: "date-time", pattern: from100 },
        { type: "string", maxLength: 0 },
      ],
      examples: ["2026-12-01", "2026-12-01T10:00:00+01:00"],
    },
  },
  day: {
    isRight: (text) => day.test(text.trim()) && parsePeriodBound(text, "since") !== undefined,
    rule: "a day, written YYYY-MM-DD, such as 2026-12-01",
    advice: boundAdvice,
    described: { format: "date", pattern: from100, examples: ["2026-12-01"] },
  },
  "new-password": {
    isRight: meetsPasswordRule,
    rule: `a password of ${passwordRule}`,
    described: {
      anyOf: [{ minLength: 12 }, { minLength: 8, pattern: "^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])" }],
    },
  },
  "web-address": {
    isRight: isWebAddress,
    rule: "a URL that starts with https:// or http://",
    described: { pattern: "^https?://[A-Za-z0-9.-]+(:[0-9]{1,4})?(/[A-Za-z0-9._~/-]*)?$|^$" },
  },
  /** A filter of a webhook. */
  "event-filter": {
    isRight: (text) => parseFilter(text) !== undefined,
    reason: "unknown",
    rule: "an existing object.event or conversationevent.event:eventType, where each part can be *, such as ticket.* (GET /api/webhooks/event-types lists them all)",
    advice: filterAdvice,
    described: {
      pattern: filterPattern,
      examples: ["ticket.*", "conversationevent.create:media.OCRDone"],
    },
  },
  "time-zone": {
    isRight: isTimeZone,
    reason: "unknown",
    rule: "a time zone of the IANA database, such as Europe/Paris, not an abbreviation",
    described: { examples: ["Europe/Paris"] },
  },
} as const satisfies Record<string, TextFormat>;

export type TextFormatName = keyof typeof textFormats;

export function findTextFormat(name: unknown): TextFormat | undefined {
  return typeof name === "string" && Object.hasOwn(textFormats, name)
    ? textFormats[name as TextFormatName]
    : undefined;
}

function startAdvice(text: string): string | undefined {
  return parseTimestamp(text) === undefined ? offsetHint(text) : years(1970);
}

function boundAdvice(text: string): string | undefined {
  return parseTimestamp(text) === undefined && parseTimestamp(`${text.trim()}T00:00Z`) === undefined
    ? offsetHint(text)
    : years(100);
}

function offsetHint(text: string): string | undefined {
  return withoutOffset.test(text.trim()) ? "the offset is missing (Z, or +01:00)" : undefined;
}

/** Years have four digits on pages and in timestamps. */
function years(first: number): string {
  return `years from ${first} to 9998 are allowed`;
}

function countryCodeAdvice(text: string): string | undefined {
  return /^(?!00)[\d\s().\-/]{4,}$/u.test(text.trim())
    ? "the country code with its + is missing"
    : undefined;
}

/** Longer than any host name with user name and port. */
const maxAuthority = 320;

/**
 * Whether a text is an absolute HTTP URL. The cost of the conversion of a host to ASCII grows with the
 * square of its length, so a long one is not parsed.
 */
function isWebAddress(text: string): boolean {
  const [, authority = ""] = /^https?:[\\/]*([^\\/?#]*)/iu.exec(text.trim()) ?? [];
  return authority !== "" && authority.length <= maxAuthority && URL.canParse(text);
}

function filterAdvice(text: string): string | undefined {
  const unknown = findUnknownPart(text);
  if (unknown === undefined) {
    return undefined;
  }
  const [word, object] = [printable(unknown.word), printable(unknown.object)];
  const possible = unknown.possible.join(", ");
  switch (unknown.part) {
    case "object":
      return `the object ${word} is unknown: it can be ${possible} or *`;
    case "event":
      return `the object ${object} has no event ${word}: it can be ${possible} or *`;
    case "eventType":
      return possible === ""
        ? `only conversationevent has an eventType`
        : `the eventType ${word} is unknown: it can be ${possible} or *`;
  }
}

function oneOf(words: readonly string[]): string {
  return `(${words.map((word) => word.replaceAll(/[.*]/gu, "\\$&")).join("|")})`;
}
