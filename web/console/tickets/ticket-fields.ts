/**
 * The text and select fields of a ticket, one row each. Inputs, request members and facts on the
 * subject card are derived from this table. The label of a field is the text `field.<name>`. Rows
 * are in form order.
 */
import { languages } from "../../../src/contracts/languages.ts";
import type { TextKey } from "../../base/text-keys.ts";
import type { Ticket } from "./types.ts";

/** The part of `useTranslation("tickets")` that is needed here. */
type Words = Readonly<{ t: (key: TextKey<"tickets">) => string; language: string }>;

type CommonRow = Readonly<{
  part: "person" | "subject";
  /** Value in a new ticket, if not empty. */
  initial?: string;
  /** Whether the subject card shows it, with or without a copy button. */
  fact?: "plain" | "copy";
}>;

type TextRow = CommonRow &
  Readonly<{
    maxLength: number;
    /** A text area, below the other fields of its part. */
    isLong?: true;
    note?: TextKey<"tickets">;
  }>;

type ChoiceRow = CommonRow &
  Readonly<{
    choices: (words: Words) => readonly Readonly<{ value: string; label: string }>[];
    isNumber?: true;
  }>;

export type FieldRow = TextRow | ChoiceRow;

const ticketFields = {
  firstname: { part: "person", maxLength: 128 },
  lastname: { part: "person", maxLength: 128 },
  company: { part: "person", maxLength: 128 },
  name: { part: "person", maxLength: 128, note: "field.name_note" },
  reference: { part: "subject", maxLength: 255, fact: "copy" },
  subject: { part: "subject", maxLength: 255 },
  priority: {
    part: "subject",
    choices: priorityChoices,
    initial: "2",
    isNumber: true,
    fact: "plain",
  },
  language: { part: "subject", choices: languageChoices },
  description: { part: "subject", maxLength: 5_000, isLong: true },
} as const satisfies Readonly<Record<string, FieldRow>>;

export type FieldName = keyof typeof ticketFields;

type FieldValues = Record<FieldName, string>;

/** Values shared by the create and edit forms. */
export type CommonValues = FieldValues & {
  /** A `datetime-local` value in the reader's time zone; "" for now. */
  startTime: string;
  duration: number | string;
};

export const fieldRows = Object.entries(ticketFields) as [FieldName, FieldRow][];

export const noValues: CommonValues = {
  ...valuesBy((_name, { initial = "" }) => initial),
  ...{ startTime: "", duration: 30 },
};

/** Empty strings for missing values. */
export function fieldValuesOf(ticket: Ticket): FieldValues {
  const known = { ...ticket, ...ticket.requestor };
  return valuesBy((name) => String(known[name] ?? ""));
}

function valuesBy(value: (name: FieldName, row: FieldRow) => string): FieldValues {
  return Object.fromEntries(
    fieldRows.map(([name, row]) => [name, value(name, row)]),
  ) as FieldValues;
}

/** The API's value: an empty select is null. */
export function sentValue(row: FieldRow, value: string): string | number | null {
  if (!("choices" in row)) {
    return value;
  }
  return value === "" ? null : row.isNumber ? Number(value) : value;
}

function priorityChoices({ t }: Words) {
  return (["1", "2", "3", "4"] as const).map((value) => ({ value, label: t(`priority.${value}`) }));
}

function languageChoices({ t, language }: Words) {
  return [
    { value: "", label: t("field.language_of_service") },
    ...languages.map((value) => ({ value, label: nameOfLanguage(value, language) })),
  ];
}

function nameOfLanguage(language: string, inLanguage: string): string {
  const name = new Intl.DisplayNames(inLanguage, { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1);
}
