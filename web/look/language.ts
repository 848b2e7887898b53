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

/** `auto`: as the browser says. */
export type LanguageChoice = Language | "auto";

export const languageChoice = (): LanguageChoice => {
  const chosen = keptLanguage();
  return isLanguage(chosen) ? chosen : "auto";
};

/** What was chosen, for all pages of this browser from now on. */
export const keepLanguage = (choice: LanguageChoice): void => {
  try {
    if (choice === "auto") {
      localStorage.removeItem(kept);
    } else {
      localStorage.setItem(kept, choice);
    }
  } catch {
    // Kept for this page only.
  }
};

/** The one that a choice means: of this browser's languages the first that there are texts in. */
export const languageOf = (choice: LanguageChoice): Language =>
  choice === "auto"
    ? (navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en")
    : choice;
