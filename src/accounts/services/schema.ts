import { surveyLanguages } from "../../contracts/survey.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import { pageQuery, type PageQuery } from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { ids, languageOrNull, line, sortQuery } from "../fields.ts";
import type { SortQuery } from "../fields.ts";
import { namedSchema } from "../users/schema.ts";
import type { ServiceKind } from "./model.ts";

const kind = { type: "string", enum: ["ticket", "conference"] };

const settings = {
  name: line(255, 1),
  description: { type: ["string", "null"], maxLength: 2_000 },
  ticket_types: { type: "array", maxItems: 100, uniqueItems: true, items: line(64, 1) },
  is_active: flag,
  asks_position: flag,
  not_clicked_minutes: range(1, 1_440),
  reminder_minutes: range(1, 10_080, ["integer", "null"]),
  language: languageOrNull,
  media_retention_days: range(1, 3_650),
  groups: ids,
};

export const changeServiceSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: settings,
};

export const createServiceSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "kind"],
  properties: { ...settings, kind },
};

export const listServicesSchema: JsonSchema = {
  type: "object",
  properties: {
    service_key: { type: "string", maxLength: 64 },
    kind,
    search: { type: "string", maxLength: 255 },
    ...pageQuery,
    ...sortQuery,
  },
};

export type ListServicesQuery = PageQuery &
  SortQuery & { service_key?: string; kind?: ServiceKind; search?: string };

export const serviceSchema = exactObject("Service", {
  id: integer,
  service_key: text,
  name: text,
  kind,
  description: nullableText,
  ticket_types: { type: "array", items: text },
  is_active: flag,
  asks_position: flag,
  not_clicked_minutes: integer,
  reminder_minutes: nullableInteger,
  language: languageOrNull,
  media_retention_days: integer,
  groups: { type: "array", items: namedSchema("GroupName") },
  created: timestamp,
  modified: timestamp,
});

export const serviceListSchema = listOf("ServiceList", serviceSchema);

export const ownServiceListSchema = listOf(
  "OwnServiceList",
  exactObject("OwnService", {
    id: integer,
    service_key: text,
    name: text,
    kind,
    ticket_types: { type: "array", items: text },
    language: languageOrNull,
  }),
);

const question = {
  type: "object",
  additionalProperties: false,
  required: ["label"],
  properties: {
    label: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(surveyLanguages.map((language) => [language, line(255, 1)])),
    },
  },
};

/** Body and answer alike. */
export const surveySchema = exactObject("Survey", {
  enabled: flag,
  questions: { type: "array", minItems: 1, maxItems: 5, items: question },
  feedback: flag,
});

export const buttonSchema = exactObject("Button", {
  id: integer,
  name: text,
  url: text,
  is_active: flag,
  created: timestamp,
});

export const buttonListSchema = listOf("ButtonList", buttonSchema);

const buttonFields = { name: line(255, 1), is_active: flag };

export const createButtonSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: buttonFields,
};

export const changeButtonSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: buttonFields,
};

export type ButtonInput = { name?: string; is_active?: boolean };

function range(minimum: number, maximum: number, type: string | string[] = "integer") {
  return {
    type,
    minimum,
    maximum,
  };
}
