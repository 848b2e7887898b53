/** The locale of numbers and times within the language of a page. Pure. */

/** Of a browser that speaks another language than the page. */
const usual: Readonly<Record<string, string>> = { en: "en-GB", fr: "fr-FR" };

/**
 * The reader's own one of those that speak this language: who reads British English has a clock of
 * 24 hours. A bare `en` would be American.
 */
export function localeOf(language: string, preferred: readonly string[] = ofBrowser()): string {
  return (
    preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`) && isLocale(tag)) ??
    usual[language] ??
    language
  );
}

/** Whether `Intl` takes it: a browser without a desktop may call its language `en-US@posix`. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** None where there is no browser. */
function ofBrowser(): readonly string[] {
  return (
    (globalThis as { navigator?: { languages?: readonly string[] } }).navigator?.languages ?? []
  );
}
