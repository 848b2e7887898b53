import type { TemplateKind, VariableName } from "../../contracts/message-templates.ts";
import type { Language } from "../../contracts/languages.ts";
import type { Channel } from "../../contracts/invitations.ts";

/** Values of one message, by the variable's name. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>;

/** A text for one kind, channel and language: built in or customized. */
export type Wording = Readonly<{
  kind: TemplateKind;
  channel: Channel;
  language: Language;
  /** Null for SMS. */
  subject: string | null;
  text: string;
  /** Null: generated from the text. */
  html: string | null;
}>;

/** The texts of one language for one kind. `button` is the label of the link in mails. */
export type BuiltInWording = Readonly<{
  subject: string;
  mail: string;
  sms: string;
  button: string;
}>;

export type BuiltInLanguage = Readonly<Record<TemplateKind, BuiltInWording>>;

/** Joins the paragraphs of a mail. `{{link}}` must be a paragraph of its own. */
export function paragraphs(...texts: string[]): string {
  return texts.join("\n\n");
}

const locales: Readonly<Record<Language, string>> = {
  fr: "fr-FR",
  en: "en-GB",
  es: "es-ES",
  de: "de-DE",
  it: "it-IT",
  nl: "nl-NL",
  pt: "pt-PT",
};

export type DateFormat = Readonly<{ channel: Channel; language: Language; timeZone: string }>;

/** The date in the reader's format and the enterprise's time zone. */
export function formatDay(date: Date, { channel, language, timeZone }: DateFormat): string {
  return replaceNoBreakSpaces(
    new Intl.DateTimeFormat(locales[language], {
      ...dateOptions(channel, language),
      timeZone,
    }).format(date),
  );
}

/** SMS use digits: in some languages, month names force UCS-2. */
function dateOptions(channel: Channel, language: Language): Intl.DateTimeFormatOptions {
  if (channel === "email") {
    return { dateStyle: "long" };
  }
  return language === "en"
    ? { day: "numeric", month: "short", year: "numeric" }
    : { day: "2-digit", month: "2-digit", year: "numeric" };
}

/**
 * Hours and minutes in the enterprise's time zone. A mail names the zone, because its reader may be
 * in another one; an SMS has no room for it.
 */
export function formatTime(date: Date, { channel, language, timeZone }: DateFormat): string {
  return replaceNoBreakSpaces(
    new Intl.DateTimeFormat(locales[language], {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(channel === "email" ? { timeZoneName: "short" } : {}),
      timeZone,
    }).format(date),
  );
}

/** Non-breaking spaces force UCS-2, which halves the length of an SMS. */
function replaceNoBreakSpaces(text: string): string {
  return text.replaceAll(/[\u00A0\u2009\u202F]/gu, " ");
}
