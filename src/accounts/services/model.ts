/** A service: what customers are helped through, and its settings. Pure. */
import { languages, type Language } from "../../contracts/languages.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { type Survey } from "../../contracts/survey.ts";
import { omitUndefined } from "../fields.ts";
import type { Group } from "../model.ts";

/** What a change writes. */
export type ServiceSettings = Readonly<{
  name: string;
  description: string | null;
  /** What tickets may be of; empty: free text. */
  ticket_types: readonly string[];
  is_active: boolean;
  asks_position: boolean;
  not_clicked_minutes: number;
  /** Null: nobody is reminded. */
  reminder_minutes: number | null;
  /** Null: the enterprise's. */
  language: Language | null;
  media_retention_days: number;
}>;

export type ServiceKind = "ticket" | "conference";

export type Service = ServiceSettings &
  Readonly<{
    id: number;
    enterpriseId: number;
    kind: ServiceKind;
    serviceKey: string;
    /** Whose agents may work for it; none: all agents. */
    groups: readonly Group[];
    created: Date;
    modified: Date;
  }>;

export type ServiceInput = Partial<ServiceSettings> & { groups?: number[] };

export type NewService = ServiceInput & { name: string; kind: ServiceKind };

export const defaultSettings: Omit<ServiceSettings, "name"> = {
  description: null,
  ticket_types: [],
  is_active: true,
  asks_position: false,
  not_clicked_minutes: 15,
  reminder_minutes: null,
  language: null,
  media_retention_days: 365,
};

export type Button = Readonly<{
  id: number;
  name: string;
  isActive: boolean;
  created: Date;
}>;

/** The fields that a client gave; groups are not columns of a service. */
export function settingsOf({ groups: _groups, ...input }: ServiceInput): Partial<ServiceSettings> {
  return omitUndefined(input);
}

/** A survey has a question to ask, and every question has words in some language. */
export function checkSurvey(survey: Survey): Survey {
  for (const [index, { label }] of survey.questions.entries()) {
    const written = languages.filter((language) => label[language] !== undefined);
    const blank = written.find((language) => label[language]?.trim() === "");
    if (written.length === 0 || blank !== undefined) {
      const field = `questions[${index}].label`;
      throw invalidParameter(
        blank === undefined ? field : `${field}.${blank}`,
        "length",
        "A question needs a text in at least one language, and no text may be blank.",
      );
    }
  }
  return survey;
}
