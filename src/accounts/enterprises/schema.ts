import { languages } from "../../contracts/languages.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  text,
  timestamp,
  pageQuery,
  periodQuery,
  textWithoutBlanks,
  type PageQuery,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import {
  optionalEmailField,
  idListField,
  lineField,
  newPasswordField,
  optionalPhoneField,
  sortQuery,
  type SortQuery,
} from "../fields.ts";
import type { EnterpriseInput } from "./model.ts";

const mailProviders = ["smtp", "dev"];

const smsProviders = ["http", "twilio", "dev"];

/** Accepts `outbox`, the deprecated name of `dev`, for one more version. */
function providerInput(names: readonly string[]): JsonSchema {
  return {
    ...providerField([...names, "outbox"]),
    described: { description: "`outbox` is deprecated: use `dev`" },
  };
}

const fields = {
  name: lineField(255, 1),
  time_zone: { type: "string", minLength: 1, maxLength: 64, format: "time-zone" },
  language: { type: "string", enum: languages },
  sip_phone_number: optionalPhoneField,
  sms_sender: {
    type: "string",
    pattern: "^[A-Za-z0-9 ]{0,11}$",
    rule: "at most 11 letters, digits and spaces",
  },
  mail_provider: providerInput(mailProviders),
  sms_provider: providerInput(smsProviders),
  solution_enabled: flag,
  managed_by: { type: ["integer", "null"], minimum: 1 },
  quotas: {
    type: "object",
    additionalProperties: false,
    properties: {
      max_users: countField(1, ["integer", "null"]),
      max_media_bytes: {
        type: ["integer", "null"],
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      },
      max_sms_per_day: countField(0, "integer"),
    },
  },
  retention: {
    type: "object",
    additionalProperties: false,
    properties: {
      payload_days: { type: ["integer", "null"], minimum: 1, maximum: 400 },
      // At least as long as the retries of a delivery take.
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
        login: textWithoutBlanks(255),
        email: optionalEmailField,
        firstname: lineField(128),
        lastname: lineField(128),
        password: newPasswordField,
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
  mail_provider: providerField(mailProviders),
  sms_provider: providerField(smsProviders),
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
  users: quotaUsage("QuotaUse", nullableInteger),
  media_bytes: quotaUsage("QuotaUse", nullableInteger),
  sms_per_day: quotaUsage("QuotaUse", nullableInteger),
});

export const domainSchema = exactObject("Domain", {
  id: integer,
  domain: text,
  alias: text,
  created: timestamp,
});

export const domainListSchema = listOf("DomainList", domainSchema);

const hostField = { described: { format: "hostname", examples: ["desk.example.com"] } };

/** An empty value counts as absent. */
const optionalHostField = {
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
  properties: {
    domain: { ...lineField(255, 1), ...hostField },
    alias: { ...lineField(255), ...optionalHostField },
  },
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

const groupFields = { name: lineField(255, 1), members: { ...idListField, maxItems: 500 } };

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

function countField(minimum: number, type: string | string[]) {
  return {
    type,
    minimum,
    maximum: 2_147_483_647,
  };
}

function quotaUsage(title: string, max: JsonSchema): JsonSchema {
  return exactObject(title, { used: integer, max });
}

function providerField(names: readonly string[]) {
  return { type: ["string", "null"], enum: [...names, null] };
}
