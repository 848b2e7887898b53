import Mustache from "mustache";
import { invalidParameter } from "../../contracts/problems.ts";

/** Of mustache only plain variables are taken: a template can show values and do nothing else. */
type Token = readonly [kind: string, value: string];

type Values = Readonly<Record<string, string | undefined>>;

const tagOf: Readonly<Record<string, (value: string) => string>> = {
  "#": (value) => `the section {{#${value}}}`,
  "^": (value) => `the section {{^${value}}}`,
  "&": (value) => `the unescaped {{{${value}}}}`,
  ">": (value) => `the partial {{>${value}}}`,
  "=": () => "other brackets",
};

/** Refuses all but text and the variables of the list; the answer names what is refused. */
export function checkTemplate(field: string, template: string, known: readonly string[]): void {
  for (const [kind, value] of tokensOf(field, template)) {
    const tag = tagOf[kind];
    if (tag !== undefined) {
      throw invalidParameter(field, "format", describe(field, tag(value)));
    }
    if (kind === "name" && !known.includes(value)) {
      const list = known.join(", ");
      const detail = `The field ${field} names {{${value}}}, which is not known. Known are ${list}.`;
      throw invalidParameter(field, "unknown_variable", detail);
    }
  }
}

function tokensOf(field: string, template: string): Token[] {
  try {
    return parse(template);
  } catch {
    throw invalidParameter(field, "format", `The field ${field} has a tag that does not end.`);
  }
}

function describe(field: string, tag: string): string {
  return `The field ${field} may hold variables such as {{link}} only, not ${tag}.`;
}

/** The variables that a template names. */
export function variablesIn(template: string): string[] {
  return parse(template)
    .filter(([kind]) => kind === "name")
    .map(([, value]) => value);
}

function parse(template: string): Token[] {
  return writer().parse(template) as Token[];
}

/** With the values as they are: for texts. */
export function fillText(template: string, values: Values): string {
  return writer().render(template, values, undefined, { escape: String });
}

/** With the values escaped: for HTML. */
export function fillHtml(template: string, values: Values): string {
  return writer().render(template, values);
}

/** Nothing is cached: texts come from outside, without an end. */
function writer(): Mustache.Writer {
  return Object.assign(new Mustache.Writer(), { templateCache: undefined });
}
