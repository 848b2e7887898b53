import type { Language } from "./languages.ts";

/** A question in at least one language. Customers with another language get the first one. */
export type SurveyQuestion = Readonly<{ label: Readonly<Partial<Record<Language, string>>> }>;

export type Survey = Readonly<{
  enabled: boolean;
  /** One to five. */
  questions: readonly SurveyQuestion[];
  /** Whether customers can add a free text. */
  feedback: boolean;
}>;

/** For services whose column is null. */
export const defaultSurvey: Survey = {
  enabled: true,
  questions: [
    {
      label: {
        fr: "Êtes-vous satisfait de l'assistance ?",
        en: "Are you satisfied with the assistance?",
        es: "¿Está satisfecho con la asistencia?",
        de: "Sind Sie mit der Hilfe zufrieden?",
        it: "È soddisfatto dell'assistenza?",
        nl: "Bent u tevreden over de hulp?",
        pt: "Está satisfeito com a assistência?",
      },
    },
  ],
  feedback: true,
};
