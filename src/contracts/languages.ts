/** The languages of invitations, surveys and public pages. The console has English and French. */
export const languages = ["fr", "en", "es", "de", "it", "nl", "pt"] as const;

export type Language = (typeof languages)[number];

export function asLanguage(text: string | null | undefined): Language | undefined {
  return languages.find((language) => language === text);
}
