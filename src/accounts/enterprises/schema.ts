import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import {
  pageQuery,
  periodQuery,
  withoutBlanks,
  type PageQuery,
} from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { email, ids, languages, line, newPassword, phone, sortQuery } from "../fields.ts";
import type { SortQuery } from "../fields.ts";
import type { EnterpriseInput } from "./model.ts";

const mailProvider = { type: ["string", "null"], enum: ["smtp", "outbox", null] };

const smsProvider = { type: ["string", "null"], enum: ["http", "twilio", "outbox", null] };

const fields = {
  name: line(255, 1),
  time_zone: { type: "string", minLength: 1, maxLength: 64, format: "time-zone" },
  language: { type: "string", enum: languages },
  sip_phone_number: phone,
  sms_sender: {
    type: "string",
    pattern: "^[A-Za-z0-9 ]{0,11}$",
    rule: "at most 11 letters, digits and blanks",
  },
  mail_provider: mailProvider,
  sms_provider: smsProvider,
  solution_enabled: flag,
  managed_by: { type: ["integer", "null"], minimum: 1 },
  quotas: {
    type: "object",
    additionalProperties: false,
    properties: {
      max_users: count(1, ["integer", "null"]),
      max_media_bytes: {
        type: ["integer", "null"],
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      },
      max_sms_per_day: count(0, "integer"),
    },
  },
  retention: {
    type: "object",
    additionalProperties: false,
    properties: {
      payload_days: { type: ["integer", "null"], minimum: 1, maximum: 400 },
      // Not less than it takes until a delivery is given up.
      log_days: { type: ["integer", "null"], minimum: 4, maximum: 400 },
    },
  },
};

export const changeEnterpriseSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: fields,
};

export const createEnterpriseSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "admin"],
  properties: {
    ...fields,
    admin: {
      type: "object",
      additionalProperties: false,
      required: ["login"],
      properties: {
        login: withoutBlanks(255),
        email,
        firstname: line(128),
        lastname: line(128),
        password: newPassword,
      },
    },
  },
};

export type FirstAdmin = {
  login: string;
  email?: string;
  firstname?: string;
  lastname?: string;
  password?: string;
};

export type CreateEnterpriseBody = EnterpriseInput & { name: string; admin: FirstAdmin };

export const enterpriseSchema = exactObject("Enterprise", {
  id: integer,
  name: text,
  apiKey: text,
  time_zone: text,
  language: { type: "string", enum: languages },
  sip_phone_number: text,
  sms_sender: text,
  mail_provider: mailProvider,
  sms_provider: smsProvider,
  solution_enabled: flag,
  managed_by: nullableInteger,
  quotas: exactObject("EnterpriseQuotas", {
    max_users: nullableInteger,
    max_media_bytes: nullableInteger,
    max_sms_per_day: integer,
  }),
  retention: exactObject("EnterpriseRetention", {
    payload_days: nullableInteger,
    log_days: nullableInteger,
  }),
  created: timestamp,
  modified: timestamp,
});

export const enterpriseListSchema = listOf("EnterpriseList", enterpriseSchema);

export const listEnterprisesSchema: JsonSchema = {
  type: "object",
  properties: { search: { type: "string", maxLength: 255 }, ...pageQuery, ...sortQuery },
};

export type ListEnterprisesQuery = PageQuery & SortQuery & { search?: string };

export const statisticsQuery: JsonSchema = {
  type: "object",
  properties: {
    ...periodQuery,
  },
};

export type StatisticsQuery = { since?: string; until?: string };

export const statisticsSchema = exactObject("EnterpriseStatistics", {
  since: timestamp,
  until: timestamp,
  users: integer,
  disk_bytes: integer,
  sms_sent: integer,
  sessions: integer,
});

export const quotaSchema = exactObject("EnterpriseQuota", {
  users: use("QuotaUse", nullableInteger),
  media_bytes: use("QuotaUse", nullableInteger),
  sms_per_day: use("QuotaUse", nullableInteger),
});

export const domainSchema = exactObject("Domain", {
  id: integer,
  domain: text,
  alias: text,
  created: timestamp,
});

export const domainListSchema = listOf("DomainList", domainSchema);

const host = { described: { format: "hostname", examples: ["desk.example.com"] } };

/** An empty one counts as not given. */
const hostOrEmpty = {
  described: {
    anyOf: [
      { type: "string", format: "hostname" },
      { type: "string", maxLength: 0 },
    ],
    examples: ["desk.example.com"],
  },
};

export const createDomainSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["domain"],
  properties: { domain: { ...line(255, 1), ...host }, alias: { ...line(255), ...hostOrEmpty } },
};

export type CreateDomainBody = { domain: string; alias?: string };

export const groupSchema = exactObject("UserGroup", {
  id: integer,
  name: text,
  members: {
    type: "array",
    items: exactObject("GroupMember", { id: integer, login: text }),
  },
});

export const groupListSchema = listOf("UserGroupList", groupSchema);

const groupFields = { name: line(255, 1), members: { ...ids, maxItems: 500 } };

export const createGroupSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: groupFields,
};

export const changeGroupSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: groupFields,
};

export type GroupInput = { name?: string; members?: number[] };

function count(minimum: number, type: string | string[]) {
  return {
    type,
    minimum,
    maximum: 2_147_483_647,
  };
}

function use(title: string, max: JsonSchema): JsonSchema {
  return exactObject(title, { used: integer, max });
}
