/**
 * From bytes to plain objects, before any schema. What leaves this file can be stored in Postgres
 * and logged: valid UTF-8, no NUL, no lone surrogates, no `__proto__`, bounded depth, integers
 * that a number can hold.
 */
import { invalidParameter, problem } from "../contracts/problems.ts";

export type Fields = Record<string, unknown>;

const maxDepth = 32;

const checkString = (value: string, field: string): void => {
  if (value.includes("\u0000")) {
    throw invalidParameter(field, "format", `The ${field} field holds the character U+0000.`);
  }
  // `\p{Surrogate}` with the u flag matches lone surrogates only, never a pair.
  if (/\p{Surrogate}/u.test(value)) {
    throw invalidParameter(field, "format", `The ${field} field is not valid Unicode text.`);
  }
};

const checkKey = (key: string, field: string): void => {
  if (key === "__proto__") {
    throw invalidParameter(field, "unknown", "The field name __proto__ is not allowed.");
  }
  checkString(key, field);
};

const childField = (parent: string, key: string | number): string => {
  if (typeof key === "number") {
    return `${parent}[${key}]`;
  }
  return parent === "" ? printable(key) : `${parent}.${printable(key)}`;
};

/** A client's own key, short, never empty and without control characters, for showing it back. */
export const printable = (key: string): string =>
  key === "" ? '""' : key.replace(/[\p{Cc}\p{Surrogate}]/gu, "?").slice(0, 100);

const checkNumber = (value: number, field: string): void => {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw invalidParameter(field, "range", `The ${field} field is too large a number.`);
  }
};

/** Throws the 400 that names the field where a value cannot be accepted by any schema. */
const checkValue = (value: unknown, field: string, depth: number): void => {
  if (typeof value === "string") {
    checkString(value, field);
  } else if (typeof value === "number") {
    checkNumber(value, field);
  } else if (typeof value === "object" && value !== null) {
    checkMembers(value, field, depth + 1);
  }
};

const checkMembers = (value: object, field: string, depth: number): void => {
  if (depth > maxDepth) {
    throw invalidParameter("body", "depth", `The body is nested deeper than ${maxDepth} levels.`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => checkValue(item, childField(field, index), depth));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    checkKey(key, childField(field, key));
    checkValue(item, childField(field, key), depth);
  }
};

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidParameter("body", "encoding", "The body is not valid UTF-8.");
  }
};

const parseJson = (bytes: Uint8Array): Fields => {
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
  checkValue(value, "", 0);
  return value as Fields;
};

const decodePart = (part: string, where: string): string => {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    throw invalidParameter(where, "encoding", `The ${where} is not valid percent-encoded UTF-8.`);
  }
};

const addField = (fields: Fields, name: string, value: string): void => {
  const earlier = fields[name];
  if (Array.isArray(earlier)) {
    earlier.push(value);
  } else {
    fields[name] = earlier === undefined ? value : [earlier, value];
  }
};

/** A field given twice becomes a list, which a schema that wants one value then refuses. */
export const parseForm = (text: string, where: "query" | "body"): Fields => {
  const fields: Fields = Object.create(null) as Fields;
  for (const pair of text.split("&").filter((part) => part !== "")) {
    const equals = pair.indexOf("=");
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals), where);
    const value = equals === -1 ? "" : decodePart(pair.slice(equals + 1), where);
    if (where === "query" && name === "__proto__") {
      continue; // unknown query parameters are ignored, this one too
    }
    checkKey(name, printable(name));
    checkString(value, printable(name));
    addField(fields, name, value);
  }
  return fields;
};

const isUtf8 = (parameters: string): boolean => {
  const charset = /;\s*charset\s*=\s*"?([\w-]+)"?/iu.exec(parameters)?.[1]?.toLowerCase();
  return (
    charset === undefined || charset === "utf-8" || charset === "utf8" || charset === "us-ascii"
  );
};

type BodyKind = "json" | "form" | "other";

const kindOfBody = (contentType = ""): BodyKind => {
  const [type = "", parameters = ""] = contentType.split(/(?=;)/u, 2);
  const mediaType = type.trim().toLowerCase();
  if (!isUtf8(parameters)) {
    return "other";
  }
  if (mediaType === "application/json" || /^application\/[\w.-]+\+json$/u.test(mediaType)) {
    return "json";
  }
  return mediaType === "application/x-www-form-urlencoded" ? "form" : "other";
};

/** A body by its media type: JSON always, a form where the route takes any transport. */
export const parseBody = (
  bytes: Uint8Array,
  contentType: string | undefined,
  transport: "json" | "any",
): Fields => {
  const kind = kindOfBody(contentType);
  if (kind === "json") {
    return parseJson(bytes);
  }
  if (kind === "form" && transport === "any") {
    return parseForm(decodeUtf8(bytes), "body");
  }
  const accepted = transport === "any" ? "JSON or a form" : "JSON";
  throw problem("unsupported_media_type", `The body must be ${accepted}, in UTF-8.`);
};

/** Path segments, decoded. */
export const decodeParams = (raw: Readonly<Record<string, string>>): Record<string, string> => {
  const params: Record<string, string> = {};
  for (const [name, part] of Object.entries(raw)) {
    try {
      params[name] = decodeURIComponent(part);
    } catch {
      throw invalidParameter(name, "encoding");
    }
    checkString(params[name], name);
  }
  return params;
};
