/** Helpers for texts. Pure. */

export const languages = ["en", "fr"] as const;

export type Language = (typeof languages)[number];

/** "1 message", "1,200 messages"; `one` and `other` hold `{count}`. */
export function counted(
  count: number,
  { one, other }: Readonly<{ one: string; other: string }>,
  language: Language,
): string {
  const isOne = new Intl.PluralRules(language).select(count) === "one";
  return fill(isOne ? one : other, { count: count.toLocaleString(language) });
}

/** `fill("{who} calls", {who: "Ann"})`: replaces the placeholders, without escaping. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/gu, (all, name: string) => values[name] ?? all);
}
