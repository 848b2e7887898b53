/** The reader's language, of all pages that people open with a browser. */
import { languages, type Language } from "./words.ts";

const storageKey = "sightline.language";

/** `auto`: as the browser says. */
export type LanguageChoice = Language | "auto";

/** What the address asks for, else what was chosen here before, else the browser's, else English. */
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

/** In a frame of another site, some browsers refuse even to look. */
function keptLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** What was chosen, for all pages of this browser from now on. */
export function keepLanguage(choice: LanguageChoice): void {
  try {
    if (choice === "auto") {
      localStorage.removeItem(storageKey);
    } else {
      localStorage.setItem(storageKey, choice);
    }
  } catch {
    // Kept for this page only.
  }
}

/** The one that a choice means: of this browser's languages the first that there are texts in. */
export function languageOf(choice: LanguageChoice): Language {
  return choice === "auto"
    ? (navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en")
    : choice;
}

function isLanguage(value: string | null | undefined): value is Language {
  return languages.some((language) => language === value);
}
