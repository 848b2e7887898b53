/** An example value for a schema. Pure. */
import { resolve, type ApiDocument, type Schema } from "./document.ts";

function typeOf({ type, properties, items }: Schema): string {
  const named = (Array.isArray(type) ? type : [type]).find((one) => one !== "null") as
    | string
    | undefined;
  if (named !== undefined) {
    return named;
  }
  return properties === undefined ? (items === undefined ? "null" : "array") : "object";
}

function firstExample({ example, examples, default: usual, const: fixed, enum: choices }: Schema) {
  return [example, examples?.[0], usual, fixed, choices?.[0]].find((value) => value !== undefined);
}

function objectOf(document: ApiDocument, { properties = {} }: Schema, depth: number) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, exampleOf(document, one, depth + 1)]),
  );
}

const formats: Readonly<Record<string, unknown>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  email: "jane@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const plain: Readonly<Record<string, unknown>> = {
  ...{ string: "text", integer: 1, number: 1, boolean: true, null: null },
};

function made(document: ApiDocument, schema: Schema, depth: number): unknown {
  const type = typeOf(schema);
  if (type === "object") {
    return objectOf(document, schema, depth);
  }
  if (type === "array") {
    return schema.items === undefined ? [] : [exampleOf(document, schema.items, depth + 1)];
  }
  return formats[schema.format ?? ""] ?? schema.minimum ?? plain[type] ?? null;
}

/** Maximum depth; also stops at recursive schemas. */
const deepest = 6;

export function exampleOf(document: ApiDocument, schema: Schema, depth = 0): unknown {
  if (depth > deepest) {
    return null;
  }
  const found = resolve(document, schema);
  const value = firstExample(found);
  if (value !== undefined) {
    return value;
  }
  const [choice] = [...(found.oneOf ?? []), ...(found.anyOf ?? [])];
  if (choice !== undefined) {
    return exampleOf(document, choice, depth + 1);
  }
  const parts = (found.allOf ?? []).map((part) => exampleOf(document, part, depth + 1));
  return parts.length > 0 ? Object.assign({}, ...parts) : made(document, found, depth);
}
