/** Converts the form of a service to the API's body. Pure. */
import type { Language } from "../../../src/contracts/languages.ts";
import { changedFields } from "../../base/changed-fields.ts";
import type { Service } from "./queries.ts";

export type ServiceValues = {
  kind: Service["kind"];
  name: string;
  description: string;
  ticket_types: string[];
  is_active: boolean;
  asks_position: boolean;
  not_clicked_minutes: number | "";
  /** Empty means no reminder. */
  reminder_minutes: number | "";
  /** "" means the company's language. */
  language: Language | "";
  media_retention_days: number | "";
  room_backend: Service["room_backend"];
  groups: string[];
};

export const newService: ServiceValues = {
  kind: "ticket",
  name: "",
  description: "",
  ticket_types: [],
  is_active: true,
  asks_position: false,
  not_clicked_minutes: 15,
  reminder_minutes: "",
  language: "",
  media_retention_days: 365,
  room_backend: "auto",
  groups: [],
};

const bounds = {
  not_clicked_minutes: { min: 1, max: 1_440 },
  reminder_minutes: { min: 1, max: 10_080 },
  media_retention_days: { min: 1, max: 3_650 },
} as const;

export function valuesOf(service: Service): ServiceValues {
  return {
    kind: service.kind,
    name: service.name,
    description: service.description ?? "",
    ticket_types: service.ticket_types,
    is_active: service.is_active,
    asks_position: service.asks_position,
    not_clicked_minutes: service.not_clicked_minutes,
    reminder_minutes: service.reminder_minutes ?? "",
    language: service.language ?? "",
    media_retention_days: service.media_retention_days,
    room_backend: service.room_backend,
    groups: service.groups.map(({ id }) => String(id)),
  };
}

/** Everything but the kind, which is immutable. */
export function bodyOf(values: ServiceValues) {
  return {
    name: values.name.trim(),
    description: values.description.trim() === "" ? null : values.description.trim(),
    ticket_types: values.ticket_types,
    is_active: values.is_active,
    asks_position: values.asks_position,
    not_clicked_minutes: Number(values.not_clicked_minutes),
    reminder_minutes: values.reminder_minutes === "" ? null : values.reminder_minutes,
    language: values.language === "" ? null : values.language,
    media_retention_days: Number(values.media_retention_days),
    room_backend: values.room_backend,
    groups: values.groups.map(Number),
  };
}

export function bodyOfChange(before: ServiceValues, after: ServiceValues) {
  return changedFields(bodyOf(before), bodyOf(after));
}

export function boundsOf(field: keyof typeof bounds): Readonly<{ min: number; max: number }> {
  return bounds[field];
}

export function isWithin(field: keyof typeof bounds, value: number | ""): boolean {
  return value !== "" && value >= bounds[field].min && value <= bounds[field].max;
}
