/** Resolves text keys: selects the plural form and fills in the placeholders. Pure. */
export type Texts = Readonly<{ [key: string]: string | Texts }>;

export type Values = Readonly<Record<string, string | number>>;

/**
 * `translate({texts: {left_one: "{{count}} call", left_other: "{{count}} calls"}, language: "en"},
 * "left", {count: 2})` is "2 calls". Undefined if the key is unknown.
 */
export function translate(
  { texts, language }: Readonly<{ texts: Texts; language: string }>,
  key: string,
  values: Values = {},
): string | undefined {
  const { count } = values;
  const keys = typeof count === "number" ? keysFor(key, count, language) : [key];
  for (const one of keys) {
    const text = findText(texts, one);
    if (text !== undefined) {
      return fill(text, values, language);
    }
  }
  return undefined;
}

/** The candidate keys for a count, the best match first. */
function keysFor(key: string, count: number, language: string): string[] {
  return [
    ...(count === 0 ? [`${key}_zero`] : []),
    ...[`${key}_${formOf(count, language)}`, `${key}_other`, key],
  ];
}

/** `state.waiting` in `{state: {waiting: "Waiting"}}`; undefined if there is no text. */
function findText(texts: Texts, key: string): string | undefined {
  let found: string | Texts | undefined = texts;
  for (const part of key.split(".")) {
    found = typeof found === "object" && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return typeof found === "string" ? found : undefined;
}

/** `{{photos|photo|photos}}`: the singular or the plural form for that number. */
const choice = /\{\{(\w+)\|([^|{}]*)\|([^|{}]*)\}\}/gu;

function fill(text: string, values: Values, language: string): string {
  return text
    .replaceAll(choice, (_, name: string, one: string, other: string) =>
      formOf(Number(values[name]), language) === "one" ? one : other,
    )
    .replaceAll(/\{\{(\w+)\}\}/gu, (all, name: string) => String(values[name] ?? all));
}

const rules = new Map<string, Intl.PluralRules>();

/** The plural category of a number in a language: "one", "many", "other". */
function formOf(count: number, language: string): Intl.LDMLPluralRule {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return known.select(count);
}
