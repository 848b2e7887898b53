import { languages, type Language } from "../../../src/contracts/languages.ts";

/** Languages of mails and SMS; the pages support only two of them. */
export const messageLanguages: readonly Language[] = languages.toSorted();

/** Each language under its own name. */
export function languageChoices(): { value: Language; label: string }[] {
  return messageLanguages.map((value) => {
    const name = new Intl.DisplayNames(value, { type: "language" }).of(value) ?? value;
    return { value, label: `${name.slice(0, 1).toLocaleUpperCase(value)}${name.slice(1)}` };
  });
}
