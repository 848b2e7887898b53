/** The OpenAPI document, as far as the page reads it. Pure. */

export type Schema = Readonly<{
  $ref?: string;
  title?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}>;

export type Parameter = Readonly<{
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}>;

export type Media = Readonly<{ schema?: Schema; example?: unknown }>;

export type Content = Readonly<Record<string, Media>>;

export type Body = Readonly<{ description?: string; required?: boolean; content?: Content }>;

export type Response = Readonly<{ $ref?: string; description?: string; content?: Content }>;

type Described = Readonly<{
  operationId?: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Parameter[];
  requestBody?: Body;
  responses?: Readonly<Record<string, Response>>;
}>;

type PathItem = Readonly<Record<string, Described>>;

export type ApiDocument = Readonly<{
  paths?: Readonly<Record<string, PathItem>>;
  webhooks?: Readonly<Record<string, PathItem>>;
  components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}>;

export type Operation = Described &
  Readonly<{
    /** In the address of the page. */
    id: string;
    method: string;
    path: string;
    group: string;
    /** Sent by the platform, not to it. */
    isWebhook: boolean;
  }>;

/** Every operation, and every webhook, in the order of their groups; webhooks come last. */
export function operationsOf(document: ApiDocument): Operation[] {
  return [
    ...operationsIn(document.paths, false).toSorted((a, b) => a.group.localeCompare(b.group, "en")),
    ...operationsIn(document.webhooks, true),
  ];
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

function operationsIn(
  items: Readonly<Record<string, PathItem>> | undefined,
  isWebhook: boolean,
): Operation[] {
  return Object.entries(items ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const described = item[method];
      const id = described?.operationId ?? `${method} ${path}`;
      const group = isWebhook ? "" : (described?.tags?.[0] ?? "");
      return described === undefined
        ? []
        : [{ ...described, id, method: method.toUpperCase(), path, group, isWebhook }];
    }),
  );
}

/** The operations that contain every search word in their path, name or description. */
export function matching(operations: readonly Operation[], typed: string): Operation[] {
  const words = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  return operations.filter(({ method, path, id, summary = "", group }) => {
    const text = `${method} ${path} ${id} ${summary} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The parameters except those that are also fields of the body, which describes them. */
export function parametersOf(
  document: ApiDocument,
  { parameters = [], requestBody }: Operation,
): Parameter[] {
  const { schema = {} } = requestBody?.content?.["application/json"] ?? {};
  const inBody = Object.keys(resolve(document, schema).properties ?? {});
  return parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in !== "query" || !inBody.includes(parameter.name));
}

/** Resolves a `$ref` within the document; other values are returned unchanged. */
export function resolve<Thing extends Readonly<{ $ref?: string }>>(
  { components }: ApiDocument,
  thing: Thing,
): Thing {
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/u.exec(thing.$ref ?? "") ?? [];
  return (components?.[kind]?.[name] as Thing | undefined) ?? thing;
}

/** Forms of one content together: "application/json, application/x-www-form-urlencoded". */
export function formsOf(content: Content): { types: string; schema: Schema }[] {
  const forms = new Map<string, { types: string; schema: Schema }>();
  for (const [type, { schema = {} }] of Object.entries(content)) {
    const key = JSON.stringify(schema);
    const known = forms.get(key);
    forms.set(key, { types: known === undefined ? type : `${known.types}, ${type}`, schema });
  }
  return [...forms.values()];
}

/** The required credentials; undefined for public operations. */
export function schemeOf({ security = [] }: Operation): string | undefined {
  return security.flatMap((one) => Object.keys(one))[0];
}
