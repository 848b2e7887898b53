import { permissions, roles } from "../../contracts/permissions.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableText,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { languageOrNull, languages } from "../fields.ts";

export const openSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["login", "password"],
  properties: {
    login: { type: "string", minLength: 1, maxLength: 255 },
    password: { type: "string", minLength: 1, maxLength: 1024 },
    embedded: flag,
  },
};

export type OpenBody = { login: string; password: string; embedded?: boolean };

const reach = { type: "string", enum: ["own", "group", "all"] } as const;

export const sessionSchema = exactObject("BrowserSession", {
  user: exactObject("BrowserSessionUser", {
    id: integer,
    login: text,
    nickname: text,
    email: text,
    role: { type: "string", enum: roles },
    is_agent: flag,
    account_type: { type: "string", enum: ["platform", "solution"] },
    language: languageOrNull,
    photo_url: text,
  }),
  enterprise: exactObject("BrowserSessionEnterprise", {
    id: integer,
    name: text,
    time_zone: text,
    language: { type: "string", enum: languages },
    solution_enabled: flag,
  }),
  permissions: {
    title: "Permissions",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(permissions.map((permission) => [permission, reach])),
  },
  csrf_token: text,
  expires_at: timestamp,
});

export const signedInDeviceListSchema = listOf(
  "SignedInDeviceList",
  exactObject("SignedInDevice", {
    id: integer,
    created: timestamp,
    last_seen: timestamp,
    expires_at: timestamp,
    browser: text,
    system: text,
    user_agent: nullableText,
    embedded: flag,
    current: flag,
  }),
);
