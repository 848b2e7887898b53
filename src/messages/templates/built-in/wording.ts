import type { TemplateKind } from "../kinds.ts";

/** What one language says, kind by kind. `button` is the label of the link in mails. */
export type BuiltInWording = Readonly<{
  subject: string;
  mail: string;
  sms: string;
  button: string;
}>;

export type BuiltInLanguage = Readonly<Record<TemplateKind, BuiltInWording>>;

/** The paragraphs of a mail. `{{link}}` stands alone in its own. */
export function paragraphs(...texts: string[]): string {
  return texts.join("\n\n");
}
