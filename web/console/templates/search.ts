/** The template in the URL. Pure. */
import { messageLanguages, type MessageLanguage } from "../settings/languages.ts";
import type { TemplateRef } from "./queries.ts";
import { channels, kinds, type Kind } from "./variables.ts";

export type TemplatesSearch = Readonly<{
  service?: string;
  kind?: string;
  channel?: string;
  language?: string;
}>;

export function placeOf(
  { kind, channel, language }: TemplatesSearch,
  usual: Readonly<{ kind: Kind; language: MessageLanguage }>,
): TemplateRef {
  return {
    kind: kinds.find((known) => known === kind) ?? usual.kind,
    channel: channels.find((known) => known === channel) ?? "email",
    language: messageLanguages.find((known) => known === language) ?? usual.language,
  };
}

/** The messages that a service sends; the company's templates cover all kinds. */
export function kindsOf(service: "ticket" | "conference" | undefined): readonly Kind[] {
  return service === undefined ? kinds : [service, "reminder", "cancel"];
}
