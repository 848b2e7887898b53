/** The variables of each kind of template. Pure. */

export const kinds = ["ticket", "conference", "reminder", "cancel"] as const;

export type Kind = (typeof kinds)[number];

export const channels = ["email", "sms"] as const;

export type Channel = (typeof channels)[number];

const when = ["startDate", "startTime", "endTime"] as const;

const common = ["enterprise", "name", ...when] as const;

/** The most common first. */
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

/** Unknown variables in a text. */
export function unknownIn(text: string, kind: Kind): string[] {
  return variablesIn(text).filter((name) => !variablesOfKind[kind].some((known) => known === name));
}

const named = /\{\{\s*([^{}]*?)\s*\}\}/gu;

export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(named)].map((match) => match[1] ?? ""))];
}

/** Maps each variable to itself, so that rendering returns the source. */
export function unchangedTextOf(kind: Kind): Record<string, string> {
  return Object.fromEntries(variablesOfKind[kind].map((name) => [name, `{{${name}}}`]));
}

/** Every message except a cancellation needs its link. */
export function needsLink(kind: Kind): boolean {
  return kind !== "cancel";
}
