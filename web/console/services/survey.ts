/** The survey as the editor holds it: every question in every language. Pure. */
import { surveyLanguages, type SurveyLanguage } from "../../../src/contracts/survey.ts";
import type { Survey } from "./queries.ts";

export const mostQuestions = 5;

export type Question = { key: number } & Record<SurveyLanguage, string>;
export type SurveyValues = { enabled: boolean; feedback: boolean; questions: Question[] };

const emptyLabels = Object.fromEntries(surveyLanguages.map((language) => [language, ""])) as Record<
  SurveyLanguage,
  string
>;

export const emptyQuestion = (key: number): Question => ({ key, ...emptyLabels });

export const valuesOf = ({ enabled, feedback, questions }: Survey): SurveyValues => ({
  enabled,
  feedback,
  questions: questions.map(({ label }, key) => ({ ...emptyQuestion(key), ...label })),
});

const labelOf = (question: Question): Partial<Record<SurveyLanguage, string>> =>
  Object.fromEntries(
    surveyLanguages
      .map((language) => [language, question[language].trim()] as const)
      .filter(([, text]) => text !== ""),
  );

export const bodyOf = ({ enabled, feedback, questions }: SurveyValues): Survey => ({
  enabled,
  feedback,
  questions: questions.map((question) => ({ label: labelOf(question) })),
});

/** Whether there are words in no language at all: such a question cannot be asked. */
export const isBlank = (question: Question): boolean => Object.keys(labelOf(question)).length === 0;

/** How many of the questions have words in this language. */
export const writtenIn = (questions: readonly Question[], language: SurveyLanguage): number =>
  questions.filter((question) => question[language].trim() !== "").length;
