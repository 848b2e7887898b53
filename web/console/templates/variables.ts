/** What templates may name, by kind, and what a text names. Pure. */

export const kinds = ["ticket", "conference", "reminder", "cancel"] as const;

export type Kind = (typeof kinds)[number];

export const channels = ["email", "sms"] as const;

export type Channel = (typeof channels)[number];

const when = ["startDate", "startTime", "endTime"] as const;

const common = ["enterprise", "name", ...when] as const;

/** The most usual first. */
export const variablesOfKind = {
  ticket: [
    ...(["link", "firstname", "lastname", "agentName", "subject", "reference"] as const),
    "informationLink",
    ...common,
  ],
  conference: ["link", "organizerName", "message", "dialInNumber", "dialInCode", ...common],
  reminder: ["link", "firstname", "lastname", "organizerName", ...common],
  cancel: ["firstname", "lastname", "organizerName", ...common],
} as const satisfies Record<Kind, readonly string[]>;

export type VariableName = (typeof variablesOfKind)[Kind][number];

/** What a text names that there is not. */
export function unknownIn(text: string, kind: Kind): string[] {
  return variablesIn(text).filter((name) => !variablesOfKind[kind].some((known) => known === name));
}

const named = /\{\{\s*([^{}]*?)\s*\}\}/gu;

export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(named)].map((match) => match[1] ?? ""))];
}

/** Each variable as its own value: what is rendered with these is the text as it is written. */
export function unchangedTextOf(kind: Kind): Record<string, string> {
  return Object.fromEntries(variablesOfKind[kind].map((name) => [name, `{{${name}}}`]));
}

/** Every message but that of a cancellation is there for its link. */
export function needsLink(kind: Kind): boolean {
  return kind !== "cancel";
}
