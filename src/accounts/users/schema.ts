import { roles } from "../../contracts/permissions.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableText,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import { pageQuery, withoutBlanks, type PageQuery } from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import {
  email,
  ids,
  languageOrNull,
  line,
  newPassword,
  phone,
  sortQuery,
  type SortQuery,
} from "../fields.ts";
import type { Role } from "../../contracts/permissions.ts";

const login = withoutBlanks(255);

const password = { type: "string", maxLength: 1024 };

/** What everybody may change of themselves. */
const ownFields = {
  firstname: line(128),
  lastname: line(128),
  nickname: line(255),
  language: languageOrNull,
  phone,
  photo_url: { type: ["string", "null"], maxLength: 2_048, format: "web-address" },
  password: newPassword,
};

const fields = {
  login,
  email,
  ...ownFields,
  role: { type: "string", enum: roles },
  isAgent: flag,
  isActive: flag,
  accountType: { type: "string", enum: ["platform", "solution"] },
  external_id: { ...line(255, 1), type: ["string", "null"] },
  groups: ids,
};

export const createUserSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["login"],
  properties: fields,
};

export const changeUserSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: fields,
};

export const changeMeSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...ownFields, current_password: password },
};

export type ChangeMeBody = {
  firstname?: string;
  lastname?: string;
  nickname?: string;
  language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
  phone?: string;
  photo_url?: string | null;
  password?: string;
  current_password?: string;
};

export const listUsersSchema: JsonSchema = {
  type: "object",
  properties: {
    search: { type: "string", maxLength: 255 },
    group: { type: "string", maxLength: 255 },
    role: { type: "string", enum: roles },
    isActive: flag,
    ...pageQuery,
    ...sortQuery,
  },
};

export type ListUsersQuery = PageQuery &
  SortQuery & { search?: string; group?: string; role?: Role; isActive?: boolean };

export const userSchema = exactObject("User", {
  id: integer,
  login: text,
  email: text,
  phone: text,
  firstname: text,
  lastname: text,
  nickname: text,
  role: { type: "string", enum: roles },
  isAgent: flag,
  isActive: flag,
  accountType: { type: "string", enum: ["platform", "solution"] },
  language: languageOrNull,
  external_id: nullableText,
  groups: { type: "array", items: namedSchema("GroupName") },
  photo_url: text,
  created: timestamp,
  modified: timestamp,
});

export const userListSchema = listOf("UserList", userSchema);

export function namedSchema(title: string): JsonSchema {
  return exactObject(title, { id: integer, name: text });
}
