import type { Channel } from "../message.ts";
import type { Language } from "./kinds.ts";

const locales: Readonly<Record<Language, string>> = {
  fr: "fr-FR",
  en: "en-GB",
  es: "es-ES",
  de: "de-DE",
  it: "it-IT",
  nl: "nl-NL",
  pt: "pt-PT",
};

export type MomentRules = Readonly<{ channel: Channel; language: Language; timeZone: string }>;

/** The day as the reader writes it, in the enterprise's time zone. */
export function dayOf(date: Date, { channel, language, timeZone }: MomentRules): string {
  return plainBlanks(
    new Intl.DateTimeFormat(locales[language], {
      ...dateOptions(channel, language),
      timeZone,
    }).format(date),
  );
}

/** Names of months cost an SMS its small alphabet in some languages, and numbers are shorter. */
function dateOptions(channel: Channel, language: Language): Intl.DateTimeFormatOptions {
  if (channel === "email") {
    return { dateStyle: "long" };
  }
  return language === "en"
    ? { day: "numeric", month: "short", year: "numeric" }
    : { day: "2-digit", month: "2-digit", year: "numeric" };
}

/**
 * Hours and minutes, in the enterprise's time zone. A mail names the zone: its reader may be in
 * another one; an SMS has no room for that.
 */
export function timeOf(date: Date, { channel, language, timeZone }: MomentRules): string {
  return plainBlanks(
    new Intl.DateTimeFormat(locales[language], {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(channel === "email" ? { timeZoneName: "short" } : {}),
      timeZone,
    }).format(date),
  );
}

/** Blanks that do not break belong to an alphabet that an SMS pays for. */
function plainBlanks(text: string): string {
  return text.replaceAll(/[\u00A0\u2009\u202F]/gu, " ");
}
