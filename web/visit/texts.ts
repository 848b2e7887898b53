/** The texts of the page: one language is loaded, the others when they are chosen. */
import { createContext, useContext } from "react";
import { localeOf } from "../shared/locale.ts";
import { fill } from "../shared/words.ts";
import type { TextKey } from "./text-key.ts";

export type Texts = Readonly<Record<TextKey, string>>;

const files = import.meta.glob<Texts>("./texts/*.json", { import: "default" });

/** The name of each language in that language. */
export const languageNames: readonly (readonly [tag: string, name: string])[] = [
  ["de", "Deutsch"],
  ["en", "English"],
  ["es", "Español"],
  ["fr", "Français"],
  ["it", "Italiano"],
  ["nl", "Nederlands"],
  ["pt", "Português"],
].filter((one): one is [string, string] => `./texts/${one[0]}.json` in files);

/** The first of these that has texts; else English. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): string {
  const tags = preferred.map((tag) => (tag ?? "").slice(0, 2).toLowerCase());
  return tags.find((tag) => languageNames.some(([name]) => name === tag)) ?? "en";
}

/** Rejects if the file cannot be loaded. */
export async function loadTexts(language: string): Promise<Words> {
  const texts = await files[`./texts/${language}.json`]?.();
  if (texts === undefined) {
    throw new Error(`There are no texts in ${language}`);
  }
  document.documentElement.lang = language;
  return {
    language,
    locale: localeOf(language),
    t: (key, values = {}) => fill(texts[key], values),
  };
}

export type Words = Readonly<{
  language: string;
  locale: string;
  t(key: TextKey, values?: Readonly<Record<string, string>>): string;
}>;

export const WordsContext = createContext<Words | undefined>(undefined);

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === undefined) {
    throw new Error("Texts are used inside of WordsContext only");
  }
  return words;
}
