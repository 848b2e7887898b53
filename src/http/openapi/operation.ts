/**
 * The OpenAPI description of one operation: parameters, bodies by media type, answers and problems.
 */
import { eventStreamType, type AnyRoute, type JsonSchema } from "../route.ts";
import { publicSchema, acceptedSchema, alternativesOf } from "./public-schema.ts";
import { describeRefusals } from "./refusals.ts";
import type { Collector } from "./components.ts";

export type Responses = Record<string, unknown>;

const binary = { type: "string", format: "binary" };

/** Describes an operation. Error answers that operations share are added to `responses`. */
export function describeOperation(
  route: AnyRoute,
  { collector, responses }: { collector: Collector; responses: Responses },
): Record<string, unknown> {
  const refusals = describeRefusals(route);
  for (const { name, response } of refusals) {
    responses[name] = response;
  }
  const parameters = describeParameters(route, collector);
  const body = describeBody(route, collector);
  return {
    operationId: route.operationId,
    tags: [tagOf(route)],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.isDeprecated === true ? { deprecated: true } : {}),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      ...describeSuccess(route, collector),
      ...Object.fromEntries(
        refusals.map(({ name, status }) => [
          String(status),
          { $ref: `#/components/responses/${name}` },
        ]),
      ),
    },
  };
}

const idempotencyKey = { $ref: "#/components/parameters/IdempotencyKey" };

function describeParameters(route: AnyRoute, collector: Collector): unknown[] {
  return [
    ...pathParameters(route, collector),
    ...queryParameters(route, collector),
    ...("isIdempotent" in route && route.isIdempotent ? [idempotencyKey] : []),
  ];
}

function pathParameters({ path, params }: AnyRoute, collector: Collector) {
  return [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => {
    const schema = propertiesOf(params)[name] ?? { type: "string" };
    return parameter("path", name, { schema, isRequired: true }, collector);
  });
}

/**
 * With transport `any`, required fields may be in the query or in the body, so neither requires
 * them.
 */
function queryParameters({ query, body, transport }: AnyRoute, collector: Collector) {
  const isAny = transport === "any";
  const fields = isAny ? body : query;
  const required = requiredOf(fields);
  return Object.entries(propertiesOf(fields)).map(([name, schema]) => {
    const mayBeEmpty = !required.includes(name);
    const isRequired = !isAny && !mayBeEmpty;
    const options = { schema: limitQueryText(schema), isRequired, mayBeEmpty };
    return parameter("query", name, options, collector);
  });
}

/**
 * The request line and headers are limited to 16 KB, and a character may take twelve bytes in a
 * URL. Longer texts belong into the body.
 */
const maxQueryTextLength = 1_000;

function limitQueryText(schema: JsonSchema): JsonSchema {
  return Number(schema["maxLength"] ?? 0) > maxQueryTextLength
    ? { ...schema, maxLength: maxQueryTextLength }
    : schema;
}

type Parameter = {
  schema: JsonSchema;
  isRequired: boolean;
  /** An empty value counts as absent. */
  mayBeEmpty?: boolean;
};

function parameter(
  location: "path" | "query",
  name: string,
  { schema, isRequired, mayBeEmpty = false }: Parameter,
  collector: Collector,
) {
  const { description, deprecated, ...rest } = acceptedSchema(schema);
  return {
    name,
    in: location,
    required: isRequired,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(mayBeEmpty ? { allowEmptyValue: true } : {}),
    schema: collector.lift(rest),
  };
}

function describeBody(route: AnyRoute, collector: Collector): unknown {
  const { transport = "json", body, accepts } = route;
  if (transport === "multipart") {
    return formBody(body, collector);
  }
  if (transport === "bytes") {
    return bytesBody(accepts);
  }
  if (body === undefined) {
    return undefined;
  }
  if (transport === "any") {
    return anyBody(body, collector);
  }
  const schema = collector.lift({ additionalProperties: false, ...acceptedSchema(body) });
  return {
    required: requiredOf(body).length > 0,
    content: { "application/json": { schema } },
  };
}

function formBody(body: JsonSchema | undefined, collector: Collector) {
  const schema = {
    ...body,
    type: "object",
    additionalProperties: false,
    required: ["file", ...requiredOf(body)],
    properties: { file: binary, ...propertiesOf(body && acceptedSchema(body)) },
  };
  return { required: true, content: { "multipart/form-data": { schema: collector.lift(schema) } } };
}

function bytesBody(accepts: readonly string[] = []) {
  return {
    required: true,
    content: Object.fromEntries(accepts.map((type) => [type, { schema: binary }])),
  };
}

function anyBody(body: JsonSchema, collector: Collector) {
  const { title: _title, ...schema } = withoutRequired(acceptedSchema(body));
  const media = { schema: collector.lift(schema) };
  const required = [...requiredOf(body).map((name) => `\`${name}\``), ...alternativesIn(body)];
  const must = required.length === 0 ? "" : ` Required in one of them: ${required.join(", ")}.`;
  return {
    description: `Each field can be in the query or in the body. If it is in both, the body counts.${must}`,
    required: false,
    content: { "application/json": media, "application/x-www-form-urlencoded": media },
  };
}

/** Required fields may be in the query instead. */
function withoutRequired({ required: _required, not: _not, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function requiredOf(schema: JsonSchema | undefined): readonly string[] {
  return (schema?.["required"] as readonly string[] | undefined) ?? [];
}

/** Alternative fields as text: "`email` or `phone`". */
function alternativesIn(body: JsonSchema): string[] {
  const names = alternativesOf(body).map((name) => `\`${name}\``);
  return names.length === 0 ? [] : [names.join(" or ")];
}

/** The tag of an operation: the first segment of its path. */
export function tagOf({ path }: Pick<AnyRoute, "path">): string {
  return path.split("/")[1] ?? "";
}

function descriptionOf(route: AnyRoute): string {
  const aliases = (route.aliases ?? []).map((path) => `\`${route.method} /api${path}\``);
  return [
    permissionSentence(route),
    ...(aliases.length === 0 ? [] : [`Also at ${aliases.join(", ")}.`]),
  ].join(" ");
}

function permissionSentence(route: AnyRoute): string {
  switch (route.permission) {
    case "public":
      return "Needs no token.";
    case "guest":
      return `Needs a room token of one of the roles ${route.roles.join(", ")}.`;
    case "authenticated":
      return "Needs an access token of any role.";
    default:
      return `Needs the permission \`${route.permission}\`.`;
  }
}

function securityOf({ permission }: AnyRoute) {
  switch (permission) {
    case "public":
      return [];
    case "guest":
      return [{ room_token: [] }];
    default:
      return [{ access_token: [] }];
  }
}

const statusWords: Readonly<Record<number, string>> = {
  200: "Done",
  201: "Created",
  202: "Accepted for processing",
  204: "Done; the response has no body",
  206: "The requested part",
};

function describeSuccess(route: AnyRoute, collector: Collector) {
  const { status } = route.answer;
  const headers = headersOf(route);
  const answerWith = (code: number) => [
    String(code),
    { description: statusWords[code], headers, ...contentOf(route, collector) },
  ];
  return Object.fromEntries([answerWith(status), ...(isFile(route) ? [answerWith(206)] : [])]);
}

function headersOf(route: AnyRoute) {
  const names = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
  const isIdempotent = "isIdempotent" in route && route.isIdempotent;
  return Object.fromEntries(
    [
      ...names,
      ...(isList(route) ? ["X-Total-Count", "Link"] : []),
      ...(route.answer.status === 201 ? ["Location"] : []),
      ...(isIdempotent ? ["Idempotent-Replayed"] : []),
    ].map(header),
  );
}

/** Whether the operation is a paged list. */
export function isList({ query }: AnyRoute): boolean {
  const properties = propertiesOf(query);
  return properties["limit"] !== undefined && properties["offset"] !== undefined;
}

type Properties = Readonly<Record<string, JsonSchema>>;

function propertiesOf(schema: JsonSchema | undefined): Properties {
  return (schema?.["properties"] as Properties | undefined) ?? {};
}

function header(name: string) {
  return [name, { $ref: `#/components/headers/${name}` }] as const;
}

function contentOf(route: AnyRoute, collector: Collector) {
  const { schema, produces = [] } = route.answer;
  const json =
    schema === undefined
      ? {}
      : { "application/json": { schema: collector.lift(publicSchema(schema)) } };
  const other = Object.fromEntries(produces.map((type) => [type, { schema: rawSchema(type) }]));
  const content = { ...json, ...other };
  return Object.keys(content).length === 0 ? {} : { content };
}

function rawSchema(type: string) {
  return type === eventStreamType ? { type: "string" } : binary;
}

/** Whether the answer is always a file, so that clients may request a range. */
export function isFile({ method, answer: { schema, produces = [] } }: AnyRoute): boolean {
  return (
    method === "GET" &&
    schema === undefined &&
    produces.length > 0 &&
    !produces.includes(eventStreamType)
  );
}
