/** Converts the form of a user to the API's body. Pure. */
import type { Role } from "../../../src/contracts/permissions.ts";
import type { Language } from "../../../src/contracts/languages.ts";
import { changedFields } from "../../base/changed-fields.ts";
import type { User } from "./queries.ts";

export type UserValues = {
  login: string;
  firstname: string;
  lastname: string;
  nickname: string;
  email: string;
  phone: string;
  role: Role;
  /** Ids, as the field of choices has them. */
  groups: string[];
  /** "" means the company's language. */
  language: Language | "";
  external_id: string;
  isAgent: boolean;
  isActive: boolean;
  accountType: User["accountType"];
  /** How a new user gets access: by a mailed link, or with an initial password. */
  entry: "link" | "password";
  password: string;
};

export const newUser: UserValues = {
  ...{ login: "", firstname: "", lastname: "", nickname: "", email: "", phone: "" },
  ...{ role: "agent", groups: [], language: "", external_id: "", isAgent: true, isActive: true },
  ...{ accountType: "solution", entry: "link", password: "" },
};

export function valuesOf(user: User): UserValues {
  return {
    login: user.login,
    firstname: user.firstname,
    lastname: user.lastname,
    nickname: user.nickname,
    email: user.email,
    phone: user.phone,
    role: user.role,
    groups: user.groups.map(({ id }) => String(id)),
    language: user.language ?? "",
    external_id: user.external_id ?? "",
    isAgent: user.isAgent,
    isActive: user.isActive,
    accountType: user.accountType,
    entry: "link",
    password: "",
  };
}

/**
 * Omits empty values: the API derives the display name from both names, and the email address from
 * the login.
 */
export function bodyOfNew(values: UserValues) {
  const [nickname, email] = [values.nickname.trim(), values.email.trim()];
  return {
    ...settingsOf(values),
    ...(nickname === "" ? {} : { nickname }),
    ...(email === "" ? {} : { email }),
    ...(values.entry === "password" ? { password: values.password } : {}),
  };
}

/** Changed fields only, so that the save neither reactivates nor promotes a user by old values. */
export function bodyOfChange(before: UserValues, after: UserValues) {
  // A name that the API derives is not stored yet.
  return changedFields({ ...bodyOf(before), nickname: before.nickname.trim() }, bodyOf(after));
}

/** An empty display name becomes both names, as for a new user. */
function bodyOf(values: UserValues) {
  const settings = settingsOf(values);
  const names = `${settings.firstname} ${settings.lastname}`.trim();
  const nickname = values.nickname.trim();
  return {
    ...settings,
    nickname: nickname === "" ? names : nickname,
    email: values.email.trim(),
  };
}

function settingsOf(values: UserValues) {
  return {
    login: values.login.trim(),
    firstname: values.firstname.trim(),
    lastname: values.lastname.trim(),
    phone: values.phone.trim(),
    role: values.role,
    isAgent: values.isAgent,
    isActive: values.isActive,
    accountType: values.accountType,
    language: values.language === "" ? null : values.language,
    external_id: values.external_id.trim() === "" ? null : values.external_id.trim(),
    groups: values.groups.map(Number),
  };
}
