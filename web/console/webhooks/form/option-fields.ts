/**
 * The numeric limits of a webhook, one row each, by API name. Inputs, request members and the facts
 * on the webhook's page are derived from this table. Pure.
 */
import type { TextKey } from "../../../base/text-keys.ts";

type LimitRow = Readonly<
  Record<"label" | "help" | "unset", TextKey<"webhooks">> & {
    max: number;
  }
>;

const limitFields = {
  maxPerSecond: {
    label: "pace.per_second",
    help: "pace.per_second_help",
    unset: "pace.unbounded",
    max: 1_000,
  },
  maxInFlight: {
    label: "pace.in_flight",
    help: "pace.in_flight_help",
    unset: "pace.platform",
    max: 10_000,
  },
} as const satisfies Readonly<Record<string, LimitRow>>;

type LimitName = keyof typeof limitFields;

export const limitRows = Object.entries(limitFields) as [LimitName, LimitRow][];

export function limitsBy<Value>(valueOf: (name: LimitName) => Value): Record<LimitName, Value> {
  return Object.fromEntries(limitRows.map(([name]) => [name, valueOf(name)])) as Record<
    LimitName,
    Value
  >;
}

export function isLimit(field: string): field is LimitName {
  return Object.hasOwn(limitFields, field);
}
