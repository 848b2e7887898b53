/** What the form of a user holds, and what becomes of it. Pure. */
import type { Role } from "../../../src/contracts/permissions.ts";
import type { MessageLanguage } from "../settings/languages.ts";
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
  /** "" for that of the company. */
  language: MessageLanguage | "";
  external_id: string;
  isAgent: boolean;
  isActive: boolean;
  accountType: User["accountType"];
  /** How somebody new gets in: by a link in a mail, or with a password that they are told. */
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

/** What is left empty is as the platform makes it: the name from both names, the address the login. */
export function bodyOfNew(values: UserValues) {
  const [nickname, email] = [values.nickname.trim(), values.email.trim()];
  return {
    ...settingsOf(values),
    ...(nickname === "" ? {} : { nickname }),
    ...(email === "" ? {} : { email }),
    ...(values.entry === "password" ? { password: values.password } : {}),
  };
}

/** The name that is left empty is both names, as for somebody new. */
export function bodyOfChange(values: UserValues) {
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
