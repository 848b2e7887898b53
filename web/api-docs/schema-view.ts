/** Schemas as lists of fields; nested fields are collapsible. */
import { element } from "../shared/dom.ts";
import { resolve, type ApiDocument, type Schema } from "./document.ts";
import { texts } from "./texts.ts";

function nameOf(schema: Schema): string {
  return /[^/]+$/u.exec(schema.$ref ?? "")?.[0] ?? "";
}

function choicesOf({ oneOf = [], anyOf = [] }: Schema): readonly Schema[] {
  return [...oneOf, ...anyOf];
}

/** Its name, else its types. */
function plainType(schema: Schema, found: Schema): string {
  const types = [found.type ?? []].flat();
  const name = nameOf(schema) || (found.title ?? "");
  const type = name || types.join(" or ") || texts.any;
  return found.format === undefined ? type : `${type} · ${found.format}`;
}

/** "string · uuid", "array of Ticket", "integer or null". */
function typeText(document: ApiDocument, schema: Schema): string {
  const found = resolve(document, schema);
  if (found.items !== undefined) {
    return `array of ${typeText(document, found.items)}`;
  }
  const choices = choicesOf(found);
  return choices.length > 0 && found.type === undefined
    ? choices.map((choice) => typeText(document, choice)).join(" or ")
    : plainType(schema, found);
}

function bound(low: number | undefined, high: number | undefined, what: string): string {
  if (low === undefined && high === undefined) {
    return "";
  }
  return `${what} ${low ?? ""}${low === undefined ? "≤ " : high === undefined ? " ≤" : " – "}${high ?? ""}`;
}

/** The allowed values: bounds, pattern, enumeration, default. */
function limitsOf(schema: Schema): HTMLElement[] {
  const words = [
    bound(schema.minimum, schema.maximum, ""),
    bound(schema.minLength, schema.maxLength, "length"),
    schema.pattern === undefined ? "" : schema.pattern,
    schema.default === undefined ? "" : `${texts.default} ${JSON.stringify(schema.default)}`,
    schema.enum === undefined
      ? ""
      : `${texts.values} ${schema.enum.map((value) => JSON.stringify(value)).join(" ")}`,
  ];
  return words
    .filter((word) => word.trim() !== "")
    .map((word) => element("code", "limit", word.trim()));
}

/** Rendered on expansion only, because schemas are recursive. */
function unfolding(summary: string, draw: () => Node): HTMLElement {
  const box = element("details", "within", element("summary", "", summary));
  box.addEventListener(
    "toggle",
    () => {
      box.append(draw());
    },
    { once: true },
  );
  return box;
}

function innerOf(document: ApiDocument, schema: Schema): Schema[] {
  const found = resolve(document, schema);
  if (found.items !== undefined) {
    return innerOf(document, found.items);
  }
  const choices = [...choicesOf(found), ...(found.allOf ?? [])];
  return choices.length > 0
    ? choices.flatMap((choice) => innerOf(document, choice))
    : [found].filter(({ properties }) => properties !== undefined);
}

type Field = Readonly<{
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
  place?: string;
}>;

/** One field or parameter. */
export function fieldRow(document: ApiDocument, field: Field): HTMLElement {
  const { name, schema, isRequired, place = "" } = field;
  const found = resolve(document, schema);
  const description = field.description ?? found.description ?? "";
  const inner = innerOf(document, schema);
  const row = element("li", "field");
  row.append(
    element(
      "div",
      "field-head",
      element("code", "field-name", name),
      element(
        "span",
        "field-type",
        [place, typeText(document, schema)].filter(Boolean).join(" · "),
      ),
      ...(isRequired ? [element("span", "required", texts.required)] : []),
    ),
    ...(description === "" ? [] : [element("p", "field-text", description)]),
    ...limitsOf(found.items === undefined ? found : resolve(document, found.items)),
    ...inner.map((one) =>
      unfolding(
        `{ ${Object.keys(one.properties ?? {})
          .slice(0, 4)
          .join(", ")} … }`,
        () => schemaView(document, one),
      ),
    ),
  );
  return row;
}

/** The fields of an object or of list items; else the type. */
export function schemaView(document: ApiDocument, schema: Schema): HTMLElement {
  const inner = innerOf(document, schema);
  if (inner.length === 0) {
    return element("p", "field-type", typeText(document, schema));
  }
  const views = inner.map(({ properties = {}, required = [] }) =>
    element(
      "ul",
      "fields",
      ...Object.entries(properties).map(([name, one]) =>
        fieldRow(document, { name, schema: one, isRequired: required.includes(name) }),
      ),
    ),
  );
  return element("div", inner.length > 1 ? "choices" : "", ...views);
}
