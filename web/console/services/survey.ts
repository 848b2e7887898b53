/** The survey in the editor: every question in every language. Pure. */

import { languages, type Language } from "../../../src/contracts/languages.ts";
import type { Survey } from "./queries.ts";

export const mostQuestions = 5;

export type Question = { key: number } & Record<Language, string>;

export type SurveyValues = { enabled: boolean; feedback: boolean; questions: Question[] };

export function valuesOf({ enabled, feedback, questions }: Survey): SurveyValues {
  return {
    enabled,
    feedback,
    questions: questions.map(({ label }, key) => ({ ...emptyQuestion(key), ...label })),
  };
}

const emptyLabels = Object.fromEntries(languages.map((language) => [language, ""])) as Record<
  Language,
  string
>;

export function emptyQuestion(key: number): Question {
  return { key, ...emptyLabels };
}

export function bodyOf({ enabled, feedback, questions }: SurveyValues): Survey {
  return {
    enabled,
    feedback,
    questions: questions.map((question) => ({ label: labelOf(question) })),
  };
}

/** Whether the question has no text in any language, so that it is invalid. */
export function isBlank(question: Question): boolean {
  return Object.keys(labelOf(question)).length === 0;
}

function labelOf(question: Question): Partial<Record<Language, string>> {
  return Object.fromEntries(
    languages
      .map((language) => [language, question[language].trim()] as const)
      .filter(([, text]) => text !== ""),
  );
}

/** Number of questions with a text in this language. */
export function writtenIn(questions: readonly Question[], language: Language): number {
  return questions.filter((question) => question[language].trim() !== "").length;
}
