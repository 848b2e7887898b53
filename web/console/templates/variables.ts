/** The variables in the text of a template. Pure. */
import { variablesOfKind, type TemplateKind } from "../../../src/contracts/message-templates.ts";

/** Unknown variables in a text. */
export function unknownIn(text: string, kind: TemplateKind): string[] {
  return variablesIn(text).filter((name) => !variablesOfKind[kind].some((known) => known === name));
}

const named = /\{\{\s*([^{}]*?)\s*\}\}/gu;

export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(named)].map((match) => match[1] ?? ""))];
}

/** Maps each variable to itself, so that rendering returns the source. */
export function unchangedTextOf(kind: TemplateKind): Record<string, string> {
  return Object.fromEntries(variablesOfKind[kind].map((name) => [name, `{{${name}}}`]));
}

/** Every message except a cancellation needs its link. */
export function needsLink(kind: TemplateKind): boolean {
  return kind !== "cancel";
}
