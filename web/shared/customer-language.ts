/** The languages of the customers' pages: those that invitations are written in. Pure. */
import type { Language } from "../../src/contracts/languages.ts";

export type { Language };

/** The name of each language in that language. */
const names: Readonly<Record<Language, string>> = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pt: "Português",
};

/** Tags and names, in the order of a list. */
export const languageNames = Object.entries(names) as readonly (readonly [Language, string])[];

/** The first supported language; else English. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): Language {
  return preferred.map((tag) => (tag ?? "").slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

function isLanguage(tag: string): tag is Language {
  return tag in names;
}
