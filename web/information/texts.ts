/** The texts of the page, in every language that invitations are written in. */
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };
import it from "./texts/it.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };
import pt from "./texts/pt.json" with { type: "json" };

export const textsOf = { de, en, es, fr, it, nl, pt };

export type Language = keyof typeof textsOf;

export type TextKey = keyof typeof en;

/** The name of each language in that language. */
export const languageNames: readonly (readonly [Language, string])[] = [
  ["de", "Deutsch"],
  ["en", "English"],
  ["es", "Español"],
  ["fr", "Français"],
  ["it", "Italiano"],
  ["nl", "Nederlands"],
  ["pt", "Português"],
];

/** The first supported language; else English. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): Language {
  return preferred.map((tag) => (tag ?? "").slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

function isLanguage(tag: string): tag is Language {
  return languageNames.some(([name]) => name === tag);
}
