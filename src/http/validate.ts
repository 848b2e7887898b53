import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { invalidParameter, missingParameter, Problem, problem } from "../contracts/problems.ts";
import {
  type ExplainedFault,
  explainErrors,
  knownFields,
  knownNames,
  maxFaults,
  problemOf,
} from "./fields/faults.ts";
import { createAjv } from "./fields/ajv.ts";
import { type Fields, printable } from "./input.ts";
import type { AnyRoute, JsonSchema } from "./route.ts";
import { coerceFields, propertiesOf, typesOf } from "./values.ts";

/** The fields as sent. Query and form values are text. */
export type RawInput = { params: Record<string, string>; query: Fields; body: Fields | undefined };

export type Input = { params: Fields; query: Fields; body: Fields };

/** The error of a request with invalid fields. */
export class RejectedInput extends Problem {
  /** The valid fields. Undefined if the path is invalid. */
  readonly validInput: Input | undefined;

  constructor({ kind, message, details, errors }: Problem, validInput: Input | undefined) {
    super(kind, message, { errors, ...(details === undefined ? {} : { details }) });
    this.validInput = validInput;
  }
}

type ValidatedRoute = Pick<AnyRoute, "params" | "query" | "body" | "transport"> &
  Partial<Pick<AnyRoute, "method">>;

type CheckedFields = Readonly<{ valid: Fields; faults: readonly ExplainedFault[] }>;

const noFields: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** Compiled at the first use. */
type LazyValidator = () => ValidateFunction;

/**
 * Compiles the schemas of a route at its first request: those of all routes would take a third of
 * the time that a web process needs to start, and most are rarely used. Unknown fields are rejected
 * in bodies and in queries of `GET`.
 * With transport `any`, query and body are merged and the body takes precedence.
 */
export function createValidators(): (route: ValidatedRoute) => (input: RawInput) => Input {
  const ajv = createAjv();
  return (route) => {
    const schemas = {
      params: route.params ?? { type: "object" },
      query: route.query ?? noFields,
      body: route.body === undefined ? noFields : { additionalProperties: false, ...route.body },
    };
    const isParams = compileLazily(ajv, schemas.params);
    const isQuery = compileLazily(ajv, schemas.query);
    const isBody = compileLazily(ajv, schemas.body);
    const isAny = route.transport === "any";
    const isText = isAny || route.transport === "multipart";
    const querySchema = isAny ? schemas.body : schemas.query;
    return (input) => {
      rejectHugeIds(input.params, schemas.params);
      const unknown = unknownParameters(route, input.query, querySchema);
      const sent = isAny
        ? { ...pickNonEmpty(input.query, schemas.body), ...input.body }
        : (input.body ?? {});
      rejectManyUnknown(sent, schemas.body);
      const query = isAny ? {} : pickNonEmpty(input.query, schemas.query);
      return accept(
        {
          params: check(isParams, coerceFields(input.params, schemas.params)),
          query: check(isQuery, coerceFields(query, schemas.query)),
          body: check(isBody, isText ? coerceFields(sent, schemas.body) : sent),
        },
        unknown,
      );
    };
  };
}

function compileLazily(ajv: Ajv, schema: JsonSchema): LazyValidator {
  let compiled: ValidateFunction | undefined;
  return () => (compiled ??= ajv.compile(schema));
}

/** An integer path parameter above any possible id is a 404, not a 400. */
function rejectHugeIds(params: Record<string, string>, schema: JsonSchema): void {
  const properties = propertiesOf(schema);
  for (const [name, value] of Object.entries(params)) {
    const isId = typesOf(properties[name]).includes("integer") && /^\d+$/u.test(value);
    if (isId && !Number.isSafeInteger(Number(value))) {
      throw problem("not_found", `Nothing was found with the ${name} ${value.slice(0, 40)}.`);
    }
  }
}

function unknownParameters(
  route: ValidatedRoute,
  query: Fields,
  schema: JsonSchema,
): ExplainedFault[] {
  if (!rejectsUnknownQuery(route)) {
    return [];
  }
  const known = knownNames(schema);
  return unknownIn(query, schema)
    .slice(0, maxFaults)
    .map((name) => {
      const shown = printable(name);
      const text =
        known === ""
          ? `The query parameter ${shown} is unknown: this operation takes none.`
          : `The query parameter ${shown} is unknown. Known parameters: ${known}.`;
      return unknownFault(name, text);
    });
}

/**
 * Unknown query parameters are rejected on reads (a misspelt filter would return everything);
 * callbacks may carry foreign ones.
 */
function rejectsUnknownQuery({ transport, method = "GET" }: ValidatedRoute): boolean {
  return transport === "any" || method === "GET";
}

/** Rejects bodies with more unknown keys than we report, before ajv builds an error for each. */
function rejectManyUnknown(fields: Fields, schema: JsonSchema): void {
  const unknown = unknownIn(fields, schema);
  if (schema["additionalProperties"] === false && unknown.length > maxFaults) {
    const text = `The body has ${unknown.length} unknown fields.${knownFields(schema)}`;
    throw problemOf(unknown.slice(0, maxFaults).map((name) => unknownFault(name, text)));
  }
}

function unknownIn(fields: Fields, schema: JsonSchema): string[] {
  const isKnown = isKnownIn(schema);
  return Object.keys(fields).filter((name) => !isKnown(name));
}

function unknownFault(name: string, text: string): ExplainedFault {
  return {
    field: printable(name),
    reason: "unknown",
    text,
  };
}

/** An empty query parameter counts as absent. */
function pickNonEmpty(fields: Fields, schema: JsonSchema): Fields {
  return Object.fromEntries(
    Object.entries(pickKnown(fields, schema)).filter(([, text]) => text !== ""),
  );
}

function pickKnown(fields: Fields, schema: JsonSchema): Fields {
  const isKnown = isKnownIn(schema);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKnown(name)));
}

function isKnownIn(schema: JsonSchema): (name: string) => boolean {
  const properties = propertiesOf(schema);
  return (name) => Object.hasOwn(properties, name);
}

/** The valid fields of all three, or the error that names all invalid ones. */
function accept(
  {
    params,
    query,
    body,
  }: Readonly<{ params: CheckedFields; query: CheckedFields; body: CheckedFields }>,
  unknown: readonly ExplainedFault[],
): Input {
  const faults = [...params.faults, ...unknown, ...query.faults, ...body.faults];
  const valid = { params: params.valid, query: query.valid, body: body.valid };
  if (faults.length > 0) {
    const refusal = problemOf(faults.slice(0, maxFaults));
    throw new RejectedInput(refusal, params.faults.length > 0 ? undefined : valid);
  }
  return valid;
}

function check(validator: LazyValidator, fields: Fields): CheckedFields {
  const validate = validator();
  if (validate(fields)) {
    return { valid: fields, faults: [] };
  }
  const errors = validate.errors ?? [];
  return { valid: validFields(fields, errors), faults: explainErrors(errors) };
}

/** The fields without errors: an error at `headers[0].name` excludes `headers`. */
function validFields(fields: Fields, errors: readonly ErrorObject[]): Fields {
  const faulty = new Set(errors.map(({ instancePath }) => instancePath.split("/")[1]));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !faulty.has(name)));
}

/** Checks messages that do not come by HTTP, such as those of sockets, against a JSON Schema. */
const messageAjv = new Ajv({ strict: true, strictTypes: false, validateSchema: false });

/** `compileMessage<T>(schema)`: the schema must describe `T`. */
export const compileMessage: Ajv["compile"] = messageAjv.compile.bind(messageAjv);

/** Returns a valid message, or throws a problem that names the first fault. */
export type MessageReader<T> = ((message: Readonly<Record<string, unknown>>) => T) &
  Readonly<{ compile: () => ValidateFunction<T> }>;

/** Calls `compile` at the first message. */
export function createMessageReader<T>(compile: () => ValidateFunction<T>): MessageReader<T> {
  let isValid: ValidateFunction<T> | undefined;
  const read = (message: unknown): T => {
    isValid ??= compile();
    if (isValid(message)) {
      return message;
    }
    throw messageProblemOf(isValid.errors?.[0]);
  };
  return Object.assign(read, { compile });
}

function messageProblemOf(error: ErrorObject | undefined): Error {
  const missing: unknown = error?.params["missingProperty"];
  if (typeof missing === "string") {
    return missingParameter(missing);
  }
  const field = error?.instancePath.split("/")[1] ?? "";
  const name = field === "" ? "message" : field;
  return invalidParameter(name, "format", `The ${name} ${error?.message ?? "is invalid"}.`);
}
