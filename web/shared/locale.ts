/** The locale for numbers and times in the language of the page. Pure. */

/** Used if the browser's languages do not include the language of the page. */
const usual: Readonly<Record<string, string>> = { en: "en-GB", fr: "fr-FR" };

/**
 * The browser's own locale for this language: British English has a 24-hour clock, while a bare
 * `en` means American English.
 */
export function localeOf(language: string, preferred: readonly string[] = ofBrowser()): string {
  return (
    preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`) && isLocale(tag)) ??
    usual[language] ??
    language
  );
}

/** A locale for a tag that `Intl` rejects: `en-GB` for `en-US@posix`, and for `C`. */
export function usableLocale(tag: string): string {
  const locale = localeOf(tag.slice(0, 2));
  return isLocale(locale) ? locale : "en-GB";
}

/** Whether `Intl` accepts it: a headless browser may report `en-US@posix`. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Empty outside of a browser: Node has a `navigator`, too. */
function ofBrowser(): readonly string[] {
  const { document, navigator } = globalThis as {
    document?: unknown;
    navigator?: { languages?: readonly string[] };
  };
  return document === undefined ? [] : (navigator?.languages ?? []);
}
