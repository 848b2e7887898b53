/** The reader's language, of all pages that people open with a browser. */
import { languages, type Language } from "./words.ts";

const kept = "sightline.language";

const isLanguage = (value: string | null | undefined): value is Language =>
  languages.some((language) => language === value);

/** In a frame of another site, some browsers refuse even to look. */
const keptLanguage = (): string | null => {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;
  }
};

/** What the address asks for, else what was chosen here before, else the browser's, else English. */
export const firstLanguage = (): Language => {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, keptLanguage(), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find(isLanguage) ?? "en";
};

/** What was chosen, for all pages from now on. */
export const keepLanguage = (language: Language): void => {
  try {
    localStorage.setItem(kept, language);
  } catch {
    // Kept for this page only.
  }
};
