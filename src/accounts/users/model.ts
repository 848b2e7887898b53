/** A user of the administration API: settings, schemas and presentation. Pure. */
import type { Language } from "../../contracts/languages.ts";
import { isAdministratorRole, type Role, roles } from "../../contracts/permissions.ts";
import { invalidParameter, missingParameter, problem } from "../../contracts/problems.ts";
import { parseEmail, parsePhone } from "../../platform/contact.ts";
import { meetsPasswordRule, passwordRule } from "../../contracts/password-rule.ts";
import type { AdminActor } from "../changes.ts";
import type { Revocation } from "../credentials.ts";
import {
  omitUndefined,
  parseOptionalText,
  optionalEmailField,
  idListField,
  nullableLanguageField,
  lineField,
  newPasswordField,
  optionalPhoneField,
  sortQuery,
  type SortQuery,
} from "../fields.ts";
import type { Group } from "../enterprises/model.ts";
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
import { photoUrlOf } from "../../contracts/directory.ts";
import { toTimestamp } from "../../platform/timestamps.ts";

/** Columns that an update writes. Null: no value. */
export type UserSettings = Readonly<{
  login: string;
  email: string;
  phone: string;
  firstname: string;
  lastname: string;
  nickname: string;
  role: Role;
  isAgent: boolean;
  isActive: boolean;
  accountType: "platform" | "solution";
  language: Language | null;
  external_id: string | null;
  photo_url: string | null;
}>;

export type User = UserSettings &
  Readonly<{
    id: number;
    enterpriseId: number;
    groups: readonly Group[];
    created: Date;
    modified: Date;
  }>;

/** Input of a client. Password and groups are not columns of a user. */
export type UserInput = Partial<UserSettings> & { password?: string; groups?: number[] };

/** Personal data: audit entries do not contain these values, because they outlive the user. */
export const personalFields = ["email", "phone", "firstname", "lastname", "nickname", "photo_url"];

const login = textWithoutBlanks(255);

const passwordField = { type: "string", maxLength: 1024 };

/** Fields that users may change of themselves. */
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
  properties: { ...ownFields, current_password: passwordField },
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

export function checkPassword(password: string | undefined, field = "password"): void {
  if (password !== undefined && !meetsPasswordRule(password)) {
    throw invalidParameter(field, "format", `The ${field} needs ${passwordRule}.`);
  }
}

/** Only a superadmin may create or change a superadmin. */
export function checkRoles(actor: AdminActor, ...concerned: (Role | undefined)[]): void {
  if (actor.role !== "superadmin" && concerned.includes("superadmin")) {
    throw problem("forbidden", `The role ${actor.role} may not do this to a superadmin.`, {
      details: "Parameter role",
    });
  }
}

/**
 * A new user with defaults for absent fields. A login that is a mail address is also the default of
 * `email`.
 */
export function newUser(input: UserInput): UserSettings {
  const settings = settingsOf(input);
  if (settings.login === undefined) {
    throw missingParameter("login");
  }
  const role = settings.role ?? "agent";
  const { firstname = "", lastname = "" } = settings;
  return {
    login: settings.login,
    email: parseEmail(settings.login) ?? "",
    phone: "",
    firstname,
    lastname,
    nickname: `${firstname} ${lastname}`.trim(),
    isAgent: role === "agent",
    isActive: true,
    accountType: "solution",
    language: null,
    external_id: null,
    photo_url: null,
    ...settings,
    role,
  };
}

/** The given fields in their stored form. */
export function settingsOf(input: UserInput): Partial<UserSettings> {
  const { password: _password, groups: _groups, photo_url: photo, ...rest } = input;
  const parsedPhoto = parseOptionalText("photo_url", photo ?? undefined, parsePhoto);
  return omitUndefined({
    ...rest,
    email: parseOptionalText("email", input.email, parseEmail),
    phone: parseOptionalText("phone", input.phone, parsePhone),
    photo_url: photo === null || parsedPhoto === "" ? null : parsedPhoto,
  });
}

function parsePhoto(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}

/** Whether the user counts as an administrator of their own enterprise. */
export function isAdministrator(user: Pick<User, "role" | "isActive" | "accountType">): boolean {
  return user.isActive && user.accountType === "solution" && isAdministratorRole(user.role);
}

/**
 * What a change of the user revokes. API tokens use the current role, so a role change keeps them;
 * disabling a user or a new password revokes everything. Another address revokes the links mailed
 * to the former one.
 */
export function revocationFor(
  before: UserSettings,
  after: UserSettings,
  newPasswordHash: string | undefined,
): Revocation {
  if (newPasswordHash !== undefined || (before.isActive && !after.isActive)) {
    return "everything";
  }
  if (before.role !== after.role || before.accountType !== after.accountType) {
    return "sign-ins";
  }
  return before.email === after.email ? "nothing" : "reset-links";
}

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
