import Mustache from "mustache";
import { invalidParameter } from "../../contracts/problems.ts";

/** Of mustache only plain variables are taken: a template can show values and do nothing else. */
type Token = readonly [kind: string, value: string];

const describe = (field: string, tag: string): string =>
  `The field ${field} may hold variables such as {{link}} only, not ${tag}.`;

const tagOf: Readonly<Record<string, (value: string) => string>> = {
  "#": (value) => `the section {{#${value}}}`,
  "^": (value) => `the section {{^${value}}}`,
  "&": (value) => `the unescaped {{{${value}}}}`,
  ">": (value) => `the partial {{>${value}}}`,
  "=": () => "other brackets",
};

/** Nothing is cached: texts come from outside, without an end. */
const writer = (): Mustache.Writer =>
  Object.assign(new Mustache.Writer(), { templateCache: undefined });

const parse = (template: string): Token[] => writer().parse(template) as Token[];

const tokensOf = (field: string, template: string): Token[] => {
  try {
    return parse(template);
  } catch {
    throw invalidParameter(field, "format", `The field ${field} has a tag that does not end.`);
  }
};

/** Refuses all but text and the variables of the list; the answer names what is refused. */
export const checkTemplate = (field: string, template: string, known: readonly string[]): void => {
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
};

/** The variables that a template names. */
export const variablesIn = (template: string): string[] =>
  parse(template)
    .filter(([kind]) => kind === "name")
    .map(([, value]) => value);

type Values = Readonly<Record<string, string | undefined>>;

/** With the values as they are: for texts. */
export const fillText = (template: string, values: Values): string =>
  writer().render(template, values, undefined, { escape: String });

/** With the values escaped: for HTML. */
export const fillHtml = (template: string, values: Values): string =>
  writer().render(template, values);
