/**
 * Parses bytes to plain objects before schema validation. The results are safe to log and to store
 * in Postgres: valid UTF-8, no NUL, no lone surrogates, no `__proto__`, bounded depth and number of
 * fields, only safe integers.
 */
import { invalidParameter, problem } from "../contracts/problems.ts";

export type Fields = Record<string, unknown>;

/**
 * Maximum number of fields of a query or form, or of members and items of a JSON body at all
 * levels. A body of 256 KB can hold more than 100,000, which are cheap to send and expensive to
 * validate. No operation needs more than a few dozen.
 */
const maxFields = 1_000;

/** Depth of the current value, and the number of fields seen so far. */
type BodyPosition = Readonly<{ depth: number; counted: { fields: number } }>;

/** Parses a body by its media type: JSON always, a form if the route's transport is `any`. */
export function parseBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  transport: "json" | "any",
): Fields {
  const kind = kindOfBody(contentType);
  if (kind === "json") {
    return parseJson(bytes);
  }
  if (kind === "form" && transport === "any") {
    return parseForm(decodeUtf8(bytes), "body");
  }
  const accepted = transport === "any" ? "JSON or a form" : "JSON";
  throw problem("unsupported_media_type", `The body must be ${accepted}, in UTF-8.`);
}

type BodyKind = "json" | "form" | "other";

function kindOfBody(contentType = ""): BodyKind {
  const mediaType = mediaTypeOf(contentType);
  const [type = ""] = contentType.split(";", 1);
  if (!isUtf8(contentType.slice(type.length))) {
    return "other";
  }
  if (mediaType === "application/json" || /^application\/[\w.-]+\+json$/u.test(mediaType)) {
    return "json";
  }
  return mediaType === "application/x-www-form-urlencoded" ? "form" : "other";
}

/** The media type of a `Content-Type`, in lower case and without its parameters. */
export function mediaTypeOf(contentType = ""): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

const utf8Names: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);

/** `; name=value` or `; name="value"`. Text inside quotes is never taken for a parameter. */
const typeParameter = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gu;

/** Whether no parameter of the media type names another charset. */
function isUtf8(parameters: string): boolean {
  if (parameters === "") {
    return true; // most bodies; matchAll() would compile its own copy of the expression
  }
  return [...parameters.matchAll(typeParameter)]
    .filter(([, name = ""]) => name.toLowerCase() === "charset")
    .every(([, , quoted, plain]) => utf8Names.has((quoted ?? plain ?? "").toLowerCase()));
}

function parseJson(bytes: Uint8Array): Fields {
  const text = decodeUtf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidParameter("body", "json", "The body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidParameter("body", "type", "The body must be a JSON object.");
  }
  checkValue(value, "", { depth: 0, counted: { fields: 0 } });
  return value as Fields;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidParameter("body", "encoding", "The body is not valid UTF-8.");
  }
}

/** The values of a text field that is given more than once. */
export class RepeatedValues extends Array<string> {}

/** A repeated field becomes a list, which schemas for a single value reject. */
export function parseForm(text: string, where: "query" | "body"): Fields {
  const fields: Fields = Object.create(null) as Fields;
  const pairs = text.split("&", maxFields + 1); // one above the limit is enough to detect an excess
  if (pairs.length > maxFields) {
    throw tooManyFields(where);
  }
  for (const pair of pairs.filter((part) => part !== "")) {
    const equals = pair.indexOf("=");
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals), where);
    const value = equals === -1 ? "" : decodePart(pair.slice(equals + 1), where);
    if (where === "query" && name === "__proto__") {
      continue; // must never become a member
    }
    addTextField(fields, name, value);
  }
  return fields;
}

function decodePart(part: string, where: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw invalidParameter(where, "encoding", `The ${where} is not valid percent-encoded UTF-8.`);
  }
}

/** Adds a text field after the checks for all texts. */
export function addTextField(fields: Fields, name: string, value: string): void {
  checkKey(name, printable(name));
  checkString(value, printable(name));
  addField(fields, name, value);
}

function addField(fields: Fields, name: string, value: string): void {
  const earlier = fields[name];
  if (earlier instanceof RepeatedValues) {
    earlier.push(value);
  } else {
    fields[name] = typeof earlier === "string" ? RepeatedValues.of(earlier, value) : value;
  }
}

/** Path segments, decoded. */
export function decodeParams(raw: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, part] of Object.entries(raw)) {
    try {
      params[name] = decodeURIComponent(part);
    } catch {
      throw invalidParameter(
        name,
        "encoding",
        `The ${name} of the path is not percent-encoded UTF-8.`,
      );
    }
    checkString(params[name], name);
  }
  return params;
}

function tooManyFields(where: "query" | "body") {
  return invalidParameter(where, "length", `The ${where} has more than ${maxFields} fields.`);
}

/** `\p{Surrogate}` with the u flag matches lone surrogates only, never a pair. */
const loneSurrogate = /\p{Surrogate}/u;

function checkString(value: string, field: string): void {
  if (value.includes("\u0000")) {
    throw invalidParameter(field, "format", `The ${field} field contains the character U+0000.`);
  }
  if (loneSurrogate.test(value)) {
    throw invalidParameter(field, "format", `The ${field} field is not valid Unicode text.`);
  }
}

function checkKey(key: string, field: string): void {
  if (key === "__proto__") {
    throw invalidParameter(field, "unknown", "The field __proto__ is not allowed.");
  }
  checkString(key, field);
}

function childField(parent: string, key: string | number): string {
  if (typeof key === "number") {
    return `${parent}[${key}]`;
  }
  return parent === "" ? printable(key) : `${parent}.${printable(key)}`;
}

/** A client's text for error messages: shortened, never empty, without control characters. */
export function printable(key: string): string {
  return key === "" ? '""' : key.slice(0, 100).replace(/[\p{Cc}\p{Surrogate}]/gu, "?");
}

function checkNumber(value: number, field: string): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw invalidParameter(field, "range", `The ${field} field is too large a number.`);
  }
}

/** Throws a 400 that names the field if no schema could accept the value. */
function checkValue(value: unknown, field: string, position: BodyPosition): void {
  if (typeof value === "string") {
    checkString(value, field);
  } else if (typeof value === "number") {
    checkNumber(value, field);
  } else if (typeof value === "object" && value !== null) {
    checkMembers(value, field, { ...position, depth: position.depth + 1 });
  }
}

function checkMembers(value: object, field: string, position: BodyPosition): void {
  checkSize(value, position);
  if (Array.isArray(value)) {
    value.forEach((item, index) => checkValue(item, childField(field, index), position));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    checkKey(key, childField(field, key));
    checkValue(item, childField(field, key), position);
  }
}

const maxDepth = 32;

/** Checks the size of a list or object before its members. */
function checkSize(value: object, { depth, counted }: BodyPosition): void {
  if (depth > maxDepth) {
    throw invalidParameter("body", "depth", `The body is nested deeper than ${maxDepth} levels.`);
  }
  counted.fields += Array.isArray(value) ? value.length : Object.keys(value).length;
  if (counted.fields > maxFields) {
    throw tooManyFields("body");
  }
}
