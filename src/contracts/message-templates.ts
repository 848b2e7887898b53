/** The templates of the emails and SMS that the platform writes. */
export const templateKinds = ["ticket", "expert", "conference", "reminder", "cancel"] as const;

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
  expert: ["link", "agentName", "subject", ...commonVariables],
  conference: [
    ...(["link", "organizerName", "message", "dialInNumber", "dialInCode"] as const),
    ...commonVariables,
  ],
  reminder: ["link", "firstname", "lastname", "organizerName", ...commonVariables],
  cancel: ["firstname", "lastname", "organizerName", ...commonVariables],
} as const satisfies Record<TemplateKind, readonly string[]>;

export type VariableName = (typeof variablesOfKind)[TemplateKind][number];
