/** The languages of the customers' pages. Pure. */

/** The name of each language in that language: every language that invitations are written in. */
export const languageNames = [
  ["de", "Deutsch"],
  ["en", "English"],
  ["es", "Español"],
  ["fr", "Français"],
  ["it", "Italiano"],
  ["nl", "Nederlands"],
  ["pt", "Português"],
] as const;

export type Language = (typeof languageNames)[number][0];

/** The first supported language; else English. */
export function chooseLanguage(preferred: readonly (string | null | undefined)[]): Language {
  return preferred.map((tag) => (tag ?? "").slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

function isLanguage(tag: string): tag is Language {
  return languageNames.some(([name]) => name === tag);
}
