/**
 * The options of a webhook's requests that are one value each, one row per option, by API name.
 * Inputs, request members and the facts on the webhook's page are derived from this table. Pure.
 */
import { formatNumber } from "../../../base/format.ts";
import type { TextKey } from "../../../base/text-keys.ts";
import type { Webhook } from "../types.ts";

type Text = TextKey<"webhooks">;

type SwitchRow = Readonly<{
  kind: "switch";
  label: Text;
  help?: Text;
  /** The name of the fact, and its two values. */
  fact: Text;
  on: Text;
  off: Text;
}>;

type CommonRow = Readonly<{
  label: Text;
  help?: Text;
  /** What applies without a value, which is null in the API. */
  unset?: Text;
}>;

type NumberRow = CommonRow & Readonly<{ kind: "number"; max: number }>;

/** Without `unset` there is always a value, at first the first one. */
type ChoiceRow = CommonRow & Readonly<{ kind: "choice"; choices: Readonly<Record<string, Text>> }>;

type TextRow = CommonRow & Readonly<{ kind: "text"; maxLength: number }>;

export type OptionRow = SwitchRow | NumberRow | ChoiceRow | TextRow;

const optionFields = {
  ordered: {
    kind: "switch",
    label: "pace.ordered",
    help: "pace.ordered_help",
    fact: "page.order",
    on: "page.ordered",
    off: "page.unordered",
  },
  maxPerSecond: {
    kind: "number",
    label: "pace.per_second",
    help: "pace.per_second_help",
    unset: "pace.unbounded",
    max: 1_000,
  },
  maxInFlight: {
    kind: "number",
    label: "pace.in_flight",
    help: "pace.in_flight_help",
    unset: "pace.platform",
    max: 10_000,
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

type Fields = typeof optionFields;

export type OptionName = keyof Fields;

/** Of inputs: empty without a value. */
type InputValue = boolean | number | string;

export type OptionValues = {
  [Name in OptionName]: Fields[Name]["kind"] extends "switch"
    ? boolean
    : Fields[Name]["kind"] extends "number"
      ? number | ""
      : string;
};

export const optionRows = Object.entries(optionFields) as [OptionName, OptionRow][];

export const initialOptions = Object.fromEntries(
  optionRows.map(([name, row]) => [name, initialValue(row)]),
) as OptionValues;

/** The value of the input for a new webhook. */
export function initialValue(row: OptionRow): InputValue {
  if (row.kind === "switch") {
    return false;
  }
  const isNeeded = row.kind === "choice" && row.unset === undefined;
  return isNeeded ? (Object.keys(row.choices)[0] ?? "") : "";
}

export function optionValuesOf(webhook: Pick<Webhook, OptionName>): OptionValues {
  return Object.fromEntries(
    optionRows.map(([name]) => [name, webhook[name] ?? ""]),
  ) as OptionValues;
}

/** The API's values. */
export function optionsOf(values: OptionValues): Pick<Webhook, OptionName> {
  return Object.fromEntries(
    optionRows.map(([name]) => [name, values[name] === "" ? null : values[name]]),
  ) as Pick<Webhook, OptionName>;
}

export function isOption(field: string): field is OptionName {
  return Object.hasOwn(optionFields, field);
}

/** An option as a fact, from its value in the API. */
export function optionFact(
  row: OptionRow,
  value: InputValue | null,
  t: (key: Text) => string,
): { name: string; value: string } {
  if (row.kind === "switch") {
    return { name: t(row.fact), value: t(value === true ? row.on : row.off) };
  }
  return { name: t(row.label), value: valueText(row, value, t) };
}

function valueText(
  row: Exclude<OptionRow, SwitchRow>,
  value: InputValue | null,
  t: (key: Text) => string,
): string {
  if (value === null) {
    return row.unset === undefined ? "" : t(row.unset);
  }
  const choice = row.kind === "choice" ? row.choices[String(value)] : undefined;
  if (choice !== undefined) {
    return t(choice);
  }
  return typeof value === "number" ? formatNumber(value) : String(value);
}
