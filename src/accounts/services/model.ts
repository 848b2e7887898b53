/** A service and its settings. Pure. */
import { languages, type Language } from "../../contracts/languages.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { roomBackends, type RoomBackend } from "../../contracts/rooms.ts";
import type { Survey } from "../../contracts/directory.ts";
import {
  omitUndefined,
  idListField,
  nullableLanguageField,
  lineField,
  sortQuery,
  type SortQuery,
} from "../fields.ts";
import type { Group } from "../enterprises/model.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
  pageQuery,
  type PageQuery,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { namedSchema } from "../users/model.ts";
import { toTimestamp } from "../../platform/timestamps.ts";

/** Columns that an update writes. */
export type ServiceSettings = Readonly<{
  name: string;
  description: string | null;
  /** Allowed types of its tickets. Empty: free text. */
  ticket_types: readonly string[];
  is_active: boolean;
  asks_position: boolean;
  not_clicked_minutes: number;
  /** Null: no reminder. */
  reminder_minutes: number | null;
  /** Null: the enterprise's language. */
  language: Language | null;
  media_retention_days: number;
  /** How media of its calls travel. */
  room_backend: RoomBackend;
}>;

export type ServiceKind = "ticket" | "conference";

export type Service = ServiceSettings &
  Readonly<{
    id: number;
    enterpriseId: number;
    kind: ServiceKind;
    serviceKey: string;
    /** Only agents of these groups may work for the service. Empty: all agents. */
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
  room_backend: "auto",
};

export type Button = Readonly<{
  id: number;
  name: string;
  isActive: boolean;
  created: Date;
}>;

const kind = { type: "string", enum: ["ticket", "conference"] };

const roomBackend = { type: "string", enum: [...roomBackends] };

const settingFields = {
  name: lineField(255, 1),
  description: { type: ["string", "null"], maxLength: 2_000 },
  ticket_types: { type: "array", maxItems: 100, uniqueItems: true, items: lineField(64, 1) },
  is_active: flag,
  asks_position: flag,
  not_clicked_minutes: rangeField(1, 1_440),
  reminder_minutes: rangeField(1, 10_080, ["integer", "null"]),
  language: nullableLanguageField,
  media_retention_days: rangeField(1, 3_650),
  room_backend: roomBackend,
  groups: idListField,
};

export const changeServiceSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: settingFields,
};

export const createServiceSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "kind"],
  properties: { ...settingFields, kind },
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
  language: nullableLanguageField,
  media_retention_days: integer,
  room_backend: roomBackend,
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
    language: nullableLanguageField,
  }),
);

const questionSchema = {
  type: "object",
  additionalProperties: false,
  required: ["label"],
  properties: {
    label: {
      type: "object",
      additionalProperties: false,
      described: { minProperties: 1 },
      properties: Object.fromEntries(languages.map((language) => [language, lineField(255, 1)])),
    },
  },
};

/** Used for the body and the answer. */
export const surveySchema = exactObject("Survey", {
  enabled: flag,
  questions: { type: "array", minItems: 1, maxItems: 5, items: questionSchema },
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

const buttonFields = { name: lineField(255, 1), is_active: flag };

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

/** The fields of a request that are columns; groups are stored elsewhere. */
export function settingsOf({ groups: _groups, ...input }: ServiceInput): Partial<ServiceSettings> {
  return omitUndefined(input);
}

/** Rejects questions without a text, and blank texts. */
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

export function presentService(service: Service) {
  return {
    id: service.id,
    service_key: service.serviceKey,
    name: service.name,
    kind: service.kind,
    description: service.description,
    ticket_types: service.ticket_types,
    is_active: service.is_active,
    asks_position: service.asks_position,
    not_clicked_minutes: service.not_clicked_minutes,
    reminder_minutes: service.reminder_minutes,
    language: service.language,
    media_retention_days: service.media_retention_days,
    room_backend: service.room_backend,
    groups: service.groups.map(({ id, name }) => ({ id, name })),
    created: toTimestamp(service.created),
    modified: toTimestamp(service.modified),
  };
}

/** `url` is the request form of the entry point. */
export function presentButton(button: Button, baseUrl: string) {
  return {
    id: button.id,
    name: button.name,
    url: `${baseUrl}/e/${button.id}`,
    is_active: button.isActive,
    created: toTimestamp(button.created),
  };
}

function rangeField(minimum: number, maximum: number, type: string | string[] = "integer") {
  return {
    type,
    minimum,
    maximum,
  };
}
