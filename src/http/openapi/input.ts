/** How the input of an operation is described: parameters, and bodies by media type. */
import type { AnyRoute, JsonSchema } from "../route.ts";
import { acceptedSchema, alternativesOf } from "./public-schema.ts";
import type { Collector } from "./schemas.ts";

const binary = { type: "string", format: "binary" };

/** A list of which a client sees a page at a time. */
export function isList({ query }: AnyRoute): boolean {
  const properties = propertiesOf(query);
  return properties["limit"] !== undefined && properties["offset"] !== undefined;
}

const idempotencyKey = { $ref: "#/components/parameters/IdempotencyKey" };

export function describeParameters(route: AnyRoute, collector: Collector): unknown[] {
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

/** With transport `any` a field may come in the query or in the body, so neither must have it. */
function queryParameters({ query, body, transport }: AnyRoute, collector: Collector) {
  const isAny = transport === "any";
  const required = isAny ? [] : requiredOf(query);
  return Object.entries(propertiesOf(isAny ? body : query)).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const mayBeEmpty = !isAny && !isRequired;
    const options = { schema: limitQueryText(schema), isRequired, mayBeEmpty };
    return parameter("query", name, options, collector);
  });
}

/**
 * A request line and its headers have 16 KB. A text may need twelve bytes for a character there,
 * so what is longer belongs into the body.
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
  /** Left empty, it counts as not given. */
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

export function describeBody(route: AnyRoute, collector: Collector): unknown {
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

type Properties = Readonly<Record<string, JsonSchema>>;

function propertiesOf(schema: JsonSchema | undefined): Properties {
  return (schema?.["properties"] as Properties | undefined) ?? {};
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
    description: `Each field may stand in the query or in the body, which wins.${must}`,
    required: false,
    content: { "application/json": media, "application/x-www-form-urlencoded": media },
  };
}

/** What must be there may be in the query. */
function withoutRequired({ required: _required, not: _not, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function requiredOf(schema: JsonSchema | undefined): readonly string[] {
  return (schema?.["required"] as readonly string[] | undefined) ?? [];
}

/** Fields that stand for each other, in words: "`email` or `phone`". */
function alternativesIn(body: JsonSchema): string[] {
  const names = alternativesOf(body).map((name) => `\`${name}\``);
  return names.length === 0 ? [] : [names.join(" or ")];
}
