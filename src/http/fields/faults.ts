/** Maps validation errors to invalid fields and error sentences. Pure. */
import type { ErrorObject } from "ajv";
import { fieldProblem, type FieldFault, type Problem } from "../../contracts/problems.ts";
import { printable, RepeatedValues } from "../input.ts";
import { propertiesOf } from "../values.ts";
import type { JsonSchema } from "../route.ts";
import { findTextFormat } from "./formats.ts";

/** The stable reason of each kind of error, independent of the schema keyword. */
const reasonOf: Readonly<Record<string, string>> = {
  additionalProperties: "unknown",
  unevaluatedProperties: "unknown",
  pattern: "format",
  isSwitch: "format",
  wordsOf: "unknown",
  const: "enum",
  minimum: "range",
  maximum: "range",
  exclusiveMinimum: "range",
  exclusiveMaximum: "range",
  minLength: "length",
  maxLength: "length",
  minItems: "length",
  maxItems: "length",
  maxProperties: "length",
  uniqueItems: "duplicate",
};

export const maxFaults = 20;

const typeWords: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

type FaultSchema = Readonly<Record<string, unknown>>;

/** A field error with the sentence that says what is valid. */
export type ExplainedFault = FieldFault & Readonly<{ text: string }>;

/** Bounds the number of errors; at most one per field. */
export function explainErrors(errors: readonly ErrorObject[]): ExplainedFault[] {
  const faults = new Map<string, ExplainedFault>();
  const listed = new Set<string>();
  for (const fault of alternativeFaults(errors)) {
    faults.set(fault.field, fault);
  }
  for (const error of errors) {
    if (faults.size >= maxFaults) {
      break; // stop before more sentences are built: there may be many errors
    }
    const field = fieldOf(error);
    if (!faults.has(field) && !isAlternative(error) && error.keyword !== "anyOf") {
      const reason = reasonFor(error);
      const text = sentenceFor(error, field) + knownFieldsFor(error, listed);
      faults.set(field, { field, reason, text });
    }
  }
  return [...faults.values()];
}

/** The known fields of the object with an unknown one, once for each object. */
function knownFieldsFor(error: ErrorObject, listed: Set<string>): string {
  const { keyword, instancePath, parentSchema = {} } = error;
  if (keyword !== "additionalProperties" || listed.has(instancePath)) {
    return "";
  }
  listed.add(instancePath);
  return knownFields(parentSchema, instancePath === "" ? "" : pathOf(instancePath));
}

/** " Known fields: email, phone."; `object` is the path of the object, empty for the whole body. */
export function knownFields(schema: JsonSchema, object = ""): string {
  const names = knownNames(schema);
  const place = object === "" ? "" : ` of ${object}`;
  return names === "" ? "" : ` Known fields${place}: ${names}.`;
}

/** More than any schema has today: a sentence stays readable if a larger one is added. */
const maxNames = 50;

export function knownNames(schema: JsonSchema): string {
  const names = Object.keys(propertiesOf(schema));
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** "The email field is required when phone is absent." */
function alternativeFaults(errors: readonly ErrorObject[]): ExplainedFault[] {
  const fields = errors.filter(isAlternative).map(fieldOf);
  const [first] = fields;
  const others = fields.slice(1).join(" and ");
  const verb = fields.length > 2 ? "are" : "is";
  return fields.map((field) => ({
    field,
    reason: "required",
    text: `The ${first} field is required when ${others} ${verb} absent.`,
  }));
}

/** `required` inside `anyOf`: one of these fields is enough. */
function isAlternative({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword === "required" && schemaPath.startsWith("#/anyOf/");
}

function fieldOf(error: ErrorObject): string {
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  const last = params.missingProperty ?? params.additionalProperty;
  return pathOf(error.instancePath, ...(last === undefined ? [] : [last]));
}

/** `headers[0].name` for the JSON pointer `/headers/0/name`; `body` for the root. */
function pathOf(pointer: string, ...members: readonly string[]): string {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = [...parts, ...members]
    .map((part, at) => (at > 0 && /^\d+$/u.test(part) ? `[${part}]` : `.${printable(part)}`))
    .join("")
    .replace(/^\./u, "");
  return path === "" ? "body" : path;
}

function reasonFor(error: ErrorObject): string {
  const { keyword, params } = error;
  if (isRepeated(error)) {
    return "duplicate";
  }
  return (
    (keyword === "format" ? findTextFormat(params["format"])?.reason : reasonOf[keyword]) ?? keyword
  );
}

/** A parameter or form field that takes one value and is given more than once. */
function isRepeated({ keyword, data }: ErrorObject): boolean {
  return keyword === "type" && data instanceof RepeatedValues;
}

/** Completes the sentence "it must be …"; undefined if there is none. */
const rules: Readonly<Record<string, (error: ErrorObject, schema: FaultSchema) => string>> = {
  type: typeRule,
  format: formatRule,
  enum: ({ params }) => enumRule(params["allowedValues"]),
  const: ({ params }) => String(params["allowedValue"]),
  wordsOf: (_error, schema) =>
    `a comma-separated list of these words: ${[schema["wordsOf"]].flat().join(", ")}`,
  isSwitch: () => "true or false (or 1 or 0)",
  minimum: (_error, schema) => rangeRule(schema),
  maximum: (_error, schema) => rangeRule(schema),
  minLength: (_error, schema) => lengthRule(schema),
  maxLength: (_error, schema) => lengthRule(schema),
  minItems: (_error, schema) =>
    `a list of ${between({ min: schema["minItems"], max: schema["maxItems"], of: "item" })}`,
  maxItems: (_error, schema) =>
    `a list of ${between({ min: schema["minItems"], max: schema["maxItems"], of: "item" })}`,
  maxProperties: (_error, schema) =>
    `an object of ${between({ max: schema["maxProperties"], of: "member" })}`,
  uniqueItems: () => "a list without duplicates",
  pattern: (_error, schema) =>
    typeof schema["rule"] === "string"
      ? schema["rule"]
      : `a text that matches ${String(schema["pattern"])}`,
};

function sentenceFor(error: ErrorObject, field: string): string {
  const schema = (error.parentSchema ?? {}) as FaultSchema;
  if (isRepeated(error)) {
    return repeatedText(field, schema);
  }
  switch (reasonOf[error.keyword] ?? error.keyword) {
    case "required":
      return `The ${field} field is required.`;
    case "unknown":
      return error.keyword === "wordsOf"
        ? `The ${field} field is invalid: it must be ${rules["wordsOf"]?.(error, schema)}.`
        : `The field ${field} is unknown.`;
    default: {
      const rule = rules[error.keyword]?.(error, schema);
      return `The ${field} field is invalid${rule === undefined ? "" : `: it must be ${rule}`}.`;
    }
  }
}

function repeatedText(field: string, schema: FaultSchema): string {
  const advice = isCommaText(schema) ? ": give one text of comma-separated words" : "";
  return `The ${field} field is given more than once${advice}.`;
}

/** One problem for all errors. Missing fields come first and determine the code. */
export function problemOf(faults: readonly ExplainedFault[]): Problem {
  const isMissing = ({ reason }: ExplainedFault): boolean => reason === "required";
  const sorted = [...faults.filter(isMissing), ...faults.filter((fault) => !isMissing(fault))];
  return fieldProblem(
    sorted.map(({ field, reason }) => ({ field, reason })),
    [...new Set(sorted.map(({ text }) => text))],
  );
}

function typeRule({ params, data }: ErrorObject, schema: FaultSchema): string {
  const types = [(params as { type: string | string[] }).type].flat();
  const said = typeof schema["rule"] === "string" ? schema["rule"] : undefined;
  if (said !== undefined || isCommaText(schema)) {
    const words = said ?? "a text of comma-separated words";
    return `${words}${Array.isArray(data) && isCommaText(schema) ? ", not a list" : ""}`;
  }
  return alternatives(types.map((type) => typeWords[type] ?? type));
}

/** Comma-separated texts, which clients often send as lists. */
function isCommaText(schema: FaultSchema): boolean {
  return schema["wordsOf"] !== undefined || String(schema["rule"]).includes("comma");
}

function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function formatRule({ params, data }: ErrorObject): string {
  const format = findTextFormat((params as { format: string }).format);
  const advice = typeof data === "string" ? format?.advice?.(data) : undefined;
  return `${format?.rule ?? String(params["format"])}${advice === undefined ? "" : `; ${advice}`}`;
}

function enumRule(values: unknown): string {
  return `one of ${[values].flat().map(String).join(", ")}`;
}

function lengthRule(schema: FaultSchema): string {
  return schema["minLength"] === 1 && schema["maxLength"] === undefined
    ? "not empty"
    : `a text of ${between({ min: schema["minLength"], max: schema["maxLength"], of: "character" })}`;
}

function rangeRule(schema: FaultSchema): string {
  const said = typeof schema["rule"] === "string" ? `; ${schema["rule"]}` : "";
  return `${between({ min: schema["minimum"], max: schema["maximum"] })}${said}`;
}

type CountBounds = Readonly<{ min?: unknown; max?: unknown; of?: string }>;

function between({ min, max, of = "" }: CountBounds): string {
  const counted = (count: unknown): string => (of === "" ? String(count) : plural(count, of));
  if (min !== undefined && min !== 0 && max !== undefined) {
    return `between ${Number(min)} and ${counted(max)}`;
  }
  return max === undefined ? `at least ${counted(min)}` : `at most ${counted(max)}`;
}

function plural(count: unknown, word: string): string {
  return `${String(count)} ${word}${count === 1 ? "" : "s"}`;
}
