import type { Language } from "../../../contracts/languages.ts";
import type { Channel } from "../../../contracts/invitations.ts";
import type { Wording, BuiltInLanguage, BuiltInWording } from "../model.ts";
import type { TemplateKind } from "../../../contracts/message-templates.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { italian } from "./it.ts";
import { dutch } from "./nl.ts";
import { portuguese } from "./pt.ts";

/** The built-in wording. A template of the enterprise or service overrides it. */
export function builtInWording(kind: TemplateKind, channel: Channel, language: Language): Wording {
  const { subject, mail, sms } = builtIn(kind, language);
  return channel === "email"
    ? { kind, channel, language, subject, text: mail, html: null }
    : { kind, channel, language, subject: null, text: sms, html: null };
}

const byLanguage: Readonly<Record<Language, BuiltInLanguage>> = {
  fr: french,
  en: english,
  es: spanish,
  de: german,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

export function builtIn(kind: TemplateKind, language: Language): BuiltInWording {
  return byLanguage[language][kind];
}
