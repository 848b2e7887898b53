/**
 * Validates every response of a test against the API description, so that the description is
 * correct.
 */
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { problem, problemCatalogue } from "../../src/contracts/problems.ts";
import type { CheckAnswer } from "../../src/http/request-context.ts";
import { isList, isFile } from "../../src/http/openapi/operation.ts";
import { problemSchema, problemsOf } from "../../src/http/openapi/refusals.ts";
import type { Answer, AnyRoute, JsonSchema } from "../../src/http/route.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.default(ajv);
const compiled = new WeakMap<JsonSchema, ValidateFunction>();

function validatorOf(schema: JsonSchema): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** The first mismatch between a schema and a body, as serialized to JSON. */
export function faultOf(schema: JsonSchema, body: unknown): string | undefined {
  const validate = validatorOf(schema);
  const sent = JSON.parse(JSON.stringify(body)) as unknown;
  return validate(sent) ? undefined : ajv.errorsText(validate.errors, { dataVar: "body" });
}

function headerNames({ headers = {} }: Answer): Set<string> {
  return new Set(Object.keys(headers).map((name) => name.toLowerCase()));
}

function missingHeader(route: AnyRoute, answer: Answer): string | undefined {
  const value = headerNames(answer);
  const wanted = [
    ...(answer.status === 201 ? ["Location"] : []),
    ...(isList(route) && answer.content === undefined ? ["X-Total-Count", "Link"] : []),
  ];
  const missing = wanted.find((name) => !value.has(name.toLowerCase()));
  return missing === undefined ? undefined : `the header ${missing} is missing`;
}

/** Checks only the media type of a streamed body, even if it is JSON. */
function faultOfContent(route: AnyRoute, type: string): string | undefined {
  const { produces = [], schema } = route.answer ?? {};
  const produced = schema === undefined ? produces : [...produces, "application/json"];
  const mediaType = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const family = `${mediaType.split("/", 1)[0]}/*`;
  return [mediaType, family, "*/*"].some((one) => produced.includes(one))
    ? undefined
    : `the media type ${type} is not described`;
}

function faultOfBody(route: AnyRoute, { body, content }: Answer): string | undefined {
  const schema = route.answer.schema;
  if (content !== undefined) {
    return faultOfContent(route, content.type);
  }
  if (schema === undefined) {
    return body === undefined ? undefined : "a body is not described";
  }
  return body === undefined ? "the body is missing" : faultOf(schema, body);
}

function faultOfAnswer(route: AnyRoute, answer: Answer): string | undefined {
  const isPart = answer.status === 206 && isFile(route);
  if (answer.status !== route.answer.status && !isPart) {
    return `the status ${answer.status} is not described`;
  }
  return missingHeader(route, answer) ?? faultOfBody(route, answer);
}

function faultOfProblem(
  route: AnyRoute | undefined,
  body: Readonly<{ code: number; status: number }>,
): string | undefined {
  const codes =
    route === undefined
      ? undefined
      : problemsOf(route).map((kind): number => problemCatalogue[kind].code);
  return codes === undefined || codes.includes(body.code)
    ? faultOf(problemSchema, body)
    : `the problem ${body.code} is not described: name it in the route's problems`;
}

const faults: string[] = [];

/**
 * A check for routers in tests: answers 500 with the reason if a response does not match its
 * description.
 */
export const checkAnswer: CheckAnswer = (answer) => {
  const { route } = answer;
  const fault =
    "answer" in answer
      ? faultOfAnswer(answer.route, answer.answer)
      : faultOfProblem(route, answer.problem);
  if (fault !== undefined) {
    const reason = `${route?.method ?? "?"} ${route?.path ?? "?"}: ${fault}`;
    faults.push(reason);
    throw problem("internal", `The answer is not as the API is described. ${reason}`);
  }
};

/** Returns and clears the mismatches found so far. */
export function takeAnswerFaults(): string[] {
  return faults.splice(0);
}
