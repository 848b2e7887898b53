import type { ReactNode } from "react";
import type { SurveyAnswer } from "../guest-types.ts";

const mouths: Readonly<Record<SurveyAnswer, string>> = {
  "Not satisfied": "M15 34c4-6 14-6 18 0",
  Satisfied: "M15 31h18",
  "Very satisfied": "M14 28c3 9 17 9 20 0",
};

/** A face for an answer; the word beside it is what is read out. */
export function Smiley({ answer }: Readonly<{ answer: SurveyAnswer }>): ReactNode {
  return (
    <svg viewBox="0 0 48 48" width="56" height="56" aria-hidden fill="none" stroke="currentColor">
      <circle cx="24" cy="24" r="20" strokeWidth="2.5" />
      <circle cx="17" cy="19" r="2.5" fill="currentColor" stroke="none" />
      <circle cx="31" cy="19" r="2.5" fill="currentColor" stroke="none" />
      <path d={mouths[answer]} strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}
