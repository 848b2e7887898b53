/** The reader's language, shared by all pages. */
import { languages, type Language } from "./words.ts";

const storageKey = "sightline.language";

/** `auto` follows the browser. */
export type LanguageChoice = Language | "auto";

/** The language of the URL, else the saved choice, else the browser's, else English. */
export function firstLanguage(): Language {
  const requested = new URLSearchParams(location.search).get("lang");
  const candidates = [
    requested,
    keptLanguage(),
    ...navigator.languages.map((tag) => tag.slice(0, 2)),
  ];
  return candidates.find(isLanguage) ?? "en";
}

export function languageChoice(): LanguageChoice {
  const chosen = keptLanguage();
  return isLanguage(chosen) ? chosen : "auto";
}

/** In a cross-site frame, some browsers throw on access to storage. */
function keptLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Saves the choice for all pages of this browser. */
export function keepLanguage(choice: LanguageChoice): void {
  try {
    if (choice === "auto") {
      localStorage.removeItem(storageKey);
    } else {
      localStorage.setItem(storageKey, choice);
    }
  } catch {
    // If storage is blocked, the choice lasts until the next page load.
  }
}

/** Resolves `auto` to the first supported language of the browser. */
export function languageOf(choice: LanguageChoice): Language {
  return choice === "auto"
    ? (navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en")
    : choice;
}

function isLanguage(value: string | null | undefined): value is Language {
  return languages.some((language) => language === value);
}
