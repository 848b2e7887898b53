import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { problem, type FieldFault, type Problem } from "../contracts/problems.ts";
import { printable, type Fields } from "./input.ts";
import type { AnyRoute, JsonSchema } from "./route.ts";

/**
 * Values of paths, queries and forms are text. They are turned into what the schema's top-level
 * `properties` say, by rules stricter than ajv's own coercion, which would take `0x10` and ` 7 `
 * for integers.
 */
const coercions: Readonly<Record<string, (value: unknown) => unknown>> = {
  integer: (value) =>
    typeof value === "string" && /^-?\d{1,16}$/u.test(value) && Number.isSafeInteger(Number(value))
      ? Number(value)
      : undefined,
  number: (value) =>
    typeof value === "string" && /^-?\d{1,16}(\.\d{1,16})?$/u.test(value)
      ? Number(value)
      : undefined,
  boolean: (value) => booleanWords[String(value).toLowerCase()],
};

const booleanWords: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  "0": false,
  false: false,
};

const typesOf = (property: unknown): readonly string[] => {
  const type = (property as { type?: string | readonly string[] } | undefined)?.type ?? [];
  return typeof type === "string" ? [type] : type;
};

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, unknown>> =>
  (schema["properties"] as Readonly<Record<string, unknown>> | undefined) ?? {};

const coerce = (value: unknown, types: readonly string[]): unknown => {
  if (types.includes("string") && typeof value === "string") {
    return value;
  }
  for (const type of types) {
    const coerced = coercions[type]?.(value);
    if (coerced !== undefined) {
      return coerced;
    }
  }
  return value;
};

const coerceFields = (fields: Fields, schema: JsonSchema): Fields => {
  const properties = propertiesOf(schema);
  const coerced: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    coerced[name] = Object.hasOwn(properties, name)
      ? coerce(value, typesOf(properties[name]))
      : value;
  }
  return coerced;
};

const pickKnown = (fields: Fields, schema: JsonSchema): Fields => {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(properties, name)),
  );
};

/** One stable word per kind of fault, however the schema expressed the rule. */
const reasonOf: Readonly<Record<string, string>> = {
  additionalProperties: "unknown",
  unevaluatedProperties: "unknown",
  pattern: "format",
  const: "enum",
  minimum: "range",
  maximum: "range",
  exclusiveMinimum: "range",
  exclusiveMaximum: "range",
  minLength: "length",
  maxLength: "length",
  minItems: "length",
  maxItems: "length",
  uniqueItems: "duplicate",
};

const fieldOf = (error: ErrorObject): string => {
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  const last = params.missingProperty ?? params.additionalProperty;
  const parts = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const path = [...parts, ...(last === undefined ? [] : [last])]
    .map((part, at) => (at > 0 && /^\d+$/u.test(part) ? `[${part}]` : `.${printable(part)}`))
    .join("")
    .replace(/^\./u, "");
  return path === "" ? "body" : path;
};

const maxFaults = 20;

/** What would be right, where the schema says it in a word; else empty. */
const ruleOf = ({ keyword, params }: ErrorObject): string => {
  const limit = String(params["limit"]);
  switch (keyword) {
    case "minimum":
      return `: it must be at least ${limit}`;
    case "maximum":
      return `: it must be at most ${limit}`;
    case "minLength":
    case "maxLength":
      return `: it must have at ${keyword === "minLength" ? "least" : "most"} ${limit} characters`;
    case "minItems":
    case "maxItems":
      return `: it must have at ${keyword === "minItems" ? "least" : "most"} ${limit} items`;
    case "enum":
      return `: it must be one of ${[params["allowedValues"]].flat().map(String).join(", ")}`;
    default:
      return "";
  }
};

/** A fault, and what would be right. */
type Explained = FieldFault & { rule?: string };

const faultsOf = (errors: readonly ErrorObject[]): Explained[] => {
  const faults = new Map<string, Explained>();
  for (const error of errors) {
    if (faults.size === maxFaults) {
      break; // before the next one's words are made: there may be many
    }
    const field = fieldOf(error);
    if (!faults.has(field)) {
      const reason = reasonOf[error.keyword] ?? error.keyword;
      faults.set(field, { field, reason, rule: ruleOf(error) });
    }
  }
  return [...faults.values()];
};

const sentenceOf = ({ field, reason, rule = "" }: Explained): string => {
  switch (reason) {
    case "required":
      return `The ${field} field is required.`;
    case "unknown":
      return `The ${field} field is not known.`;
    default:
      return `The selected ${field} field is invalid${rule}.`;
  }
};

const problemOf = (faults: readonly Explained[]): Problem => {
  const missing = faults.find(({ reason }) => reason === "required");
  const first = missing ?? faults[0] ?? { field: "body", reason: "invalid" };
  return problem(missing ? "missing_parameter" : "invalid_parameter", sentenceOf(first), {
    details: `Parameter ${first.field}`,
    errors: faults.map(({ field, reason }) => ({ field, reason })),
  });
};

const createAjv = (): Ajv => {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, useDefaults: true });
  addFormats.default(ajv);
  return ajv;
};

/** What the client sent, still as text where it came as text. */
export type RawInput = { params: Record<string, string>; query: Fields; body: Fields | undefined };
export type Input = { params: Fields; query: Fields; body: Fields };

const noFields: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

const check = (validate: ValidateFunction, fields: Fields): Fields => {
  if (!validate(fields)) {
    throw problemOf(faultsOf(validate.errors ?? []));
  }
  return fields;
};

/**
 * More unknown keys than are ever named are refused before the schema makes an error of each. Up
 * to that number the schema does it, so that the answer names every other fault too.
 */
const refuseManyUnknown = (fields: Fields, schema: JsonSchema): void => {
  const properties = propertiesOf(schema);
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name));
  if (schema["additionalProperties"] === false && unknown.length > maxFaults) {
    const named = unknown.slice(0, maxFaults);
    throw problemOf(named.map((name) => ({ field: printable(name), reason: "unknown" })));
  }
};

/** A path parameter that is an integer but larger than any id names nothing: 404, not 400. */
const refuseHugeIds = (params: Record<string, string>, schema: JsonSchema): void => {
  const properties = propertiesOf(schema);
  for (const [name, value] of Object.entries(params)) {
    const isId = typesOf(properties[name]).includes("integer") && /^\d+$/u.test(value);
    if (isId && !Number.isSafeInteger(Number(value))) {
      throw problem("not_found", `Nothing has the ${name} ${value.slice(0, 40)}.`);
    }
  }
};

/** A parameter of a query that was left empty is one that was not given. */
const pickGiven = (fields: Fields, schema: JsonSchema): Fields =>
  Object.fromEntries(Object.entries(pickKnown(fields, schema)).filter(([, text]) => text !== ""));

type Validated = Pick<AnyRoute, "params" | "query" | "body" | "transport">;

/**
 * Compiles the schemas of routes. Unknown query parameters are ignored, unknown body keys are
 * refused; with transport `any` the two are merged and the body wins.
 */
export const createValidators = (): ((route: Validated) => (input: RawInput) => Input) => {
  const ajv = createAjv();
  return (route) => {
    const schemas = {
      params: route.params ?? { type: "object" },
      query: route.query ?? noFields,
      body: route.body === undefined ? noFields : { additionalProperties: false, ...route.body },
    };
    const isParams = ajv.compile(schemas.params);
    const isQuery = ajv.compile(schemas.query);
    const isBody = ajv.compile(schemas.body);
    return (input) => {
      refuseHugeIds(input.params, schemas.params);
      const params = check(isParams, coerceFields(input.params, schemas.params));
      if (route.transport === "any") {
        const merged = { ...pickKnown(input.query, schemas.body), ...input.body };
        refuseManyUnknown(merged, schemas.body);
        return { params, query: {}, body: check(isBody, coerceFields(merged, schemas.body)) };
      }
      refuseManyUnknown(input.body ?? {}, schemas.body);
      const query = coerceFields(pickGiven(input.query, schemas.query), schemas.query);
      const isText = route.transport === "multipart";
      const body = isText ? coerceFields(input.body ?? {}, schemas.body) : (input.body ?? {});
      return { params, query: check(isQuery, query), body: check(isBody, body) };
    };
  };
};
