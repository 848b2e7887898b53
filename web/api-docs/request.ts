/** Converts the form to a request, and to a curl command. Pure. */
import type { Operation, Parameter } from "./document.ts";

export type Filled = Readonly<{
  /** By the names of parameters. */
  values: ReadonlyMap<string, string>;
  /** "" for none. */
  body: string;
}>;

export type ApiCall = Readonly<{
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}>;

/** Required parameters without a value. */
export function missingIn(parameters: readonly Parameter[], { values }: Filled): string[] {
  return parameters
    .filter(({ name, required }) => required === true && (values.get(name) ?? "") === "")
    .map(({ name }) => name);
}

export function callOf(
  { method, path }: Pick<Operation, "method" | "path">,
  parameters: readonly Parameter[],
  filled: Filled,
): ApiCall {
  const query = new URLSearchParams(filledIn(parameters, "query", filled)).toString();
  const hasBody = filled.body !== "" && method !== "GET";
  return {
    method,
    path: `${pathOf(path, filled.values)}${query === "" ? "" : `?${query}`}`,
    headers: {
      ...Object.fromEntries(filledIn(parameters, "header", filled)),
      ...(hasBody ? { "Content-Type": "application/json" } : {}),
    },
    body: hasBody ? filled.body : undefined,
  };
}

function filledIn(parameters: readonly Parameter[], place: string, { values }: Filled) {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name }): [string, string] => [name, values.get(name) ?? ""])
    .filter(([, value]) => value !== "");
}

function pathOf(path: string, values: Filled["values"]): string {
  return path.replaceAll(/\{(\w+)\}/gu, (all, name: string) => {
    const value = values.get(name) ?? "";
    return value === "" ? all : encodeURIComponent(value);
  });
}

/** The command never contains a token, because users share it. */
export function curlOf(
  { method, path, headers, body }: ApiCall,
  { base, hasToken }: Readonly<{ base: string; hasToken: boolean }>,
): string {
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(`${base}${path}`)}`,
    ...(hasToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** Quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
