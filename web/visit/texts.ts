/** The texts of the page: one language is loaded, the others when they are chosen. */
import { createContext, useContext } from "react";
import type { Language } from "../shared/customer-language.ts";
import { localeOf } from "../shared/locale.ts";
import { fill } from "../shared/words.ts";
import type { TextKey } from "./text-key.ts";

export type Texts = Readonly<Record<TextKey, string>>;

const files = import.meta.glob<Texts>("./texts/*.json", { import: "default" });

/** Rejects if the file cannot be loaded. */
export async function loadTexts(language: Language): Promise<Words> {
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
