/** Validates every response against the API description of the same service. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Operation = { responses: Record<string, Response> };
type Response = { $ref?: string; content?: Record<string, unknown> };
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
};

type DescribedAnswer = Readonly<{ status: number; headers: Headers; text: string; body: unknown }>;

/** The mismatch between a response and its description, or undefined. */
export type FindFault = (operation: string, answer: DescribedAnswer) => string | undefined;

/** Schemas whose name differs from the path segment: versions, singular forms, two older names. */
const olderNames: Readonly<Record<string, string>> = {
  authentication: "token",
  createUser: "user",
};

function nounOf(segment: string): string {
  return olderNames[segment] ?? segment.replace(/s$/u, "");
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

function fits(template: readonly string[], path: readonly string[]): boolean {
  return (
    template.length === path.length &&
    template.every((part, at) => part.startsWith("{") || nounOf(part) === nounOf(path[at] ?? ""))
  );
}

function parametersIn(template: string): number {
  return template.split("{").length;
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function mediaTypeOf({ headers }: DescribedAnswer): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Paths of pages and files, and that of the description itself, are not operations. */
function isOperation(path: string): boolean {
  return /^\/api\/(?!docs|openapi\.json|v3\/openapi\.json)/u.test(path);
}

/** A base URI for references only; nothing is fetched. */
const descriptionId = "https://description.example/";

const notRouted = [404, 405];

export function createFindFault(document: Document): FindFault {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: descriptionId }, descriptionId);
  const templates = Object.keys(document.paths).toSorted(
    (one, other) => parametersIn(one) - parametersIn(other),
  );
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: readonly string[]): ValidateFunction => {
    const $ref = `${descriptionId}#/${pointer.map(escapePointer).join("/")}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate;
  };

  const find = (method: string, path: string) => {
    const segments = segmentsOf(path.replace(/^\/api\/v[23]\//u, "/api/"));
    const template = templates.find(
      (one) => fits(segmentsOf(one), segments) && document.paths[one]?.[method] !== undefined,
    );
    return template === undefined
      ? undefined
      : { pointer: ["paths", template, method], operation: document.paths[template]?.[method] };
  };

  const schemaFault = (pointer: readonly string[], answer: DescribedAnswer): string | undefined => {
    const validate = validatorAt([...pointer, "schema"]);
    return validate(answer.body) ? undefined : ajv.errorsText(validate.errors);
  };

  const bodyFault = (
    at: readonly string[],
    described: Response,
    answer: DescribedAnswer,
  ): string | undefined => {
    const { $ref } = described;
    if ($ref !== undefined) {
      const name = $ref.split("/").at(-1) ?? "";
      const shared = document.components.responses[name] ?? {};
      return bodyFault(["components", "responses", name], shared, answer);
    }
    if (answer.text === "") {
      return described.content === undefined ? undefined : "the body is missing";
    }
    const type = mediaTypeOf(answer);
    if (described.content?.[type] === undefined) {
      return `the media type ${type} is not described`;
    }
    return type.endsWith("json") ? schemaFault([...at, "content", type], answer) : undefined;
  };

  return (operation, answer) => {
    const [verb = "", target = ""] = operation.split(" ", 2);
    const path = target.split("?", 1)[0] ?? "";
    if (!isOperation(path)) {
      return undefined;
    }
    const found = find(verb.toLowerCase(), path);
    if (found?.operation === undefined) {
      return notRouted.includes(answer.status)
        ? schemaFaultOfProblem(validatorAt(["components", "schemas", "Problem"]), answer)
        : "the operation is not described";
    }
    const described = found.operation.responses[String(answer.status)];
    return described === undefined
      ? `the status ${answer.status} is not described: ${answer.text}`
      : bodyFault([...found.pointer, "responses", String(answer.status)], described, answer);
  };
}

function schemaFaultOfProblem(
  validate: ValidateFunction,
  answer: DescribedAnswer,
): string | undefined {
  return validate(answer.body) ? undefined : `no problem body: ${answer.text}`;
}
