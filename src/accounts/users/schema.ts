import type { Language } from "../../contracts/languages.ts";
import { roles, type Role } from "../../contracts/permissions.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableText,
  text,
  timestamp,
  pageQuery,
  textWithoutBlanks,
  type PageQuery,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import {
  optionalEmailField,
  idListField,
  nullableLanguageField,
  lineField,
  newPasswordField,
  optionalPhoneField,
  sortQuery,
  type SortQuery,
} from "../fields.ts";
import { photoUrlOf } from "../../contracts/public-paths.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { User } from "./model.ts";

const login = textWithoutBlanks(255);

const password = { type: "string", maxLength: 1024 };

/** What everybody may change of themselves. */
const ownFields = {
  firstname: lineField(128),
  lastname: lineField(128),
  nickname: lineField(255),
  language: nullableLanguageField,
  phone: optionalPhoneField,
  photo_url: { type: ["string", "null"], maxLength: 2_048, format: "web-address" },
  password: newPasswordField,
};

const fields = {
  login,
  email: optionalEmailField,
  ...ownFields,
  role: { type: "string", enum: roles },
  isAgent: flag,
  isActive: flag,
  accountType: { type: "string", enum: ["platform", "solution"] },
  external_id: { ...lineField(255, 1), type: ["string", "null"] },
  groups: idListField,
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
  language?: Language | null;
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
  language: nullableLanguageField,
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

export function presentUser(user: User, baseUrl: string) {
  return {
    id: user.id,
    login: user.login,
    email: user.email,
    phone: user.phone,
    firstname: user.firstname,
    lastname: user.lastname,
    nickname: user.nickname,
    role: user.role,
    isAgent: user.isAgent,
    isActive: user.isActive,
    accountType: user.accountType,
    language: user.language,
    external_id: user.external_id,
    groups: user.groups.map(({ id, name }) => ({ id, name })),
    photo_url: photoUrlOf(user.photo_url, baseUrl),
    created: toTimestamp(user.created),
    modified: toTimestamp(user.modified),
  };
}
