/** The template in the URL. Pure. */
import type { Language } from "../../../src/contracts/languages.ts";
import { messageLanguages } from "../settings/languages.ts";
import type { TemplateRef } from "./queries.ts";
import { channels } from "../../../src/contracts/invitations.ts";
import { templateKinds, type TemplateKind } from "../../../src/contracts/message-templates.ts";

export type TemplatesSearch = Readonly<{
  service?: string;
  kind?: string;
  channel?: string;
  language?: string;
}>;

export function placeOf(
  { kind, channel, language }: TemplatesSearch,
  usual: Readonly<{ kind: TemplateKind; language: Language }>,
): TemplateRef {
  return {
    kind: templateKinds.find((known) => known === kind) ?? usual.kind,
    channel: channels.find((known) => known === channel) ?? "email",
    language: messageLanguages.find((known) => known === language) ?? usual.language,
  };
}

/** The messages that a service sends; the company's templates cover all templateKinds. */
export function kindsOf(service: "ticket" | "conference" | undefined): readonly TemplateKind[] {
  if (service === undefined) {
    return templateKinds;
  }
  return [
    ...(service === "ticket" ? (["ticket", "expert"] as const) : [service]),
    "reminder",
    "cancel",
  ];
}
