/** Languages of mails and SMS; the pages support only two of them. */
export const messageLanguages = ["de", "en", "es", "fr", "it", "nl", "pt"] as const;
export type MessageLanguage = (typeof messageLanguages)[number];

/** Each language under its own name. */
export function languageChoices(): { value: MessageLanguage; label: string }[] {
  return messageLanguages.map((value) => {
    const name = new Intl.DisplayNames(value, { type: "language" }).of(value) ?? value;
    return { value, label: `${name.slice(0, 1).toLocaleUpperCase(value)}${name.slice(1)}` };
  });
}
