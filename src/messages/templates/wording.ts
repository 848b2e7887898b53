import type { Channel } from "../message.ts";
import type { Language, TemplateKind } from "./kinds.ts";

/** A text for one kind, channel and language: built in, or an enterprise's own. */
export type Wording = Readonly<{
  kind: TemplateKind;
  channel: Channel;
  language: Language;
  /** Null for SMS. */
  subject: string | null;
  text: string;
  /** Null: made from the text. */
  html: string | null;
}>;
