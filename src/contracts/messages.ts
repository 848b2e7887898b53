/** Emails and SMS: their statuses, and the templates of those that the platform writes. */

/** `queued` → `sent` (accepted by a provider) → one of the last three, which are final. */
export const messageStatuses = ["queued", "sent", "delivered", "undelivered", "failed"] as const;

export type MessageStatus = (typeof messageStatuses)[number];

export const templateKinds = ["ticket", "conference", "reminder", "cancel"] as const;

export type TemplateKind = (typeof templateKinds)[number];

const timeVariables = ["startDate", "startTime", "endTime"] as const;

const commonVariables = ["enterprise", "name", ...timeVariables] as const;

/**
 * The variables of each kind, the most common first. A variable without a value is replaced by an
 * empty text.
 */
export const variablesOfKind = {
  ticket: [
    ...(["link", "firstname", "lastname", "agentName", "subject", "reference"] as const),
    "informationLink",
    ...commonVariables,
  ],
  conference: [
    ...(["link", "organizerName", "message", "dialInNumber", "dialInCode"] as const),
    ...commonVariables,
  ],
  reminder: ["link", "firstname", "lastname", "organizerName", ...commonVariables],
  cancel: ["firstname", "lastname", "organizerName", ...commonVariables],
} as const satisfies Record<TemplateKind, readonly string[]>;

export type VariableName = (typeof variablesOfKind)[TemplateKind][number];
