import type { Language } from "./languages.ts";

/** One question has at least one language; a customer of another one sees the first there is. */
export type SurveyQuestion = Readonly<{ label: Readonly<Partial<Record<Language, string>>> }>;

export type Survey = Readonly<{
  enabled: boolean;
  /** One to five. */
  questions: readonly SurveyQuestion[];
  /** Whether a free text may be given with the answers. */
  feedback: boolean;
}>;

/** Of a service whose column is null. */
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
