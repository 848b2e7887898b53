/** Responses and request bodies of the customer's operations: docs/api/rooms.md. */
import type { LinkEnd } from "../../src/contracts/tickets.ts";

export type GuestLink = Readonly<{
  state: string;
  service_name: string;
  enterprise_name: string;
  /** Empty if the agent has no name, or there is no agent yet. */
  agent_name: string;
  subject: string | null;
  language: string | null;
  is_survey_due: boolean;
}>;

export type PositionRequest = Readonly<{ id: string; created: string }>;

export type Visit = Readonly<{
  state: string;
  has_consent: boolean;
  has_devices: boolean;
  is_accepted: boolean;
  position_request: PositionRequest | null;
  is_survey_due: boolean;
  /** Why the link does not lead to a call any more. */
  end_reason: LinkEnd | null;
}>;

export const surveyAnswers = ["Not satisfied", "Satisfied", "Very satisfied"] as const;

export type SurveyAnswer = (typeof surveyAnswers)[number];

export type Survey = Readonly<{
  questions: readonly Readonly<{ id: number; label: Readonly<Record<string, string>> }>[];
  has_feedback: boolean;
}>;

export type AnsweredSurvey = Readonly<{
  questions: readonly Readonly<{ id: number; answer: SurveyAnswer }>[];
  feedback?: string;
}>;

export type Consent = Readonly<{ textVersion: string; language: string }>;
