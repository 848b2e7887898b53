export const templateKinds = ["ticket", "conference", "reminder", "cancel"] as const;

export type TemplateKind = (typeof templateKinds)[number];

export const languages = ["fr", "en", "es", "de", "it", "nl", "pt"] as const;

export type Language = (typeof languages)[number];

const when = ["startDate", "startTime", "endTime"] as const;

const common = ["enterprise", "name", ...when] as const;

/** What a template of each kind may name. A variable that is not known for a message is empty. */
export const variablesOfKind = {
  ticket: [
    ...common,
    "link",
    "informationLink",
    "firstname",
    "lastname",
    "agentName",
    "subject",
    "reference",
  ],
  conference: [...common, "link", "organizerName", "message", "dialInNumber", "dialInCode"],
  reminder: [...common, "link", "firstname", "lastname", "organizerName"],
  cancel: [...common, "firstname", "lastname", "organizerName"],
} as const satisfies Record<TemplateKind, readonly string[]>;

export type VariableName = (typeof variablesOfKind)[TemplateKind][number];

/** Values of one message, by the variable's name. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>;

export function asLanguage(text: string | null | undefined): Language | undefined {
  return languages.find((language) => language === text);
}
