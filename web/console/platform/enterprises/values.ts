/** Converts the form of an enterprise to the API's body. Pure. */
import type { operations } from "../../../base/api-types.ts";
import { changedFields } from "../../../base/changed-fields.ts";
import type { Enterprise } from "./queries.ts";

/** "" means no limit. */
type Amount = number | "";

export type EnterpriseValues = {
  name: string;
  time_zone: string;
  language: Enterprise["language"];
  solution_enabled: boolean;
  /** An id; empty for none. */
  managed_by: string;
  max_users: Amount;
  max_media_gigabytes: Amount;
  max_sms_per_day: Amount;
  admin_login: string;
  admin_email: string;
  admin_firstname: string;
  admin_lastname: string;
  admin_password: string;
};

const gigabyte = 1_000_000_000;

const nobody = {
  ...{ admin_login: "", admin_email: "", admin_firstname: "", admin_lastname: "" },
  admin_password: "",
};

export function newEnterprise(language: Enterprise["language"]): EnterpriseValues {
  return {
    name: "",
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language,
    solution_enabled: true,
    managed_by: "",
    max_users: "",
    max_media_gigabytes: "",
    max_sms_per_day: 500,
    ...nobody,
  };
}

export function valuesOf({ quotas, ...enterprise }: Enterprise): EnterpriseValues {
  return {
    name: enterprise.name,
    time_zone: enterprise.time_zone,
    language: enterprise.language,
    solution_enabled: enterprise.solution_enabled,
    managed_by: enterprise.managed_by === null ? "" : String(enterprise.managed_by),
    max_users: quotas.max_users ?? "",
    max_media_gigabytes: quotas.max_media_bytes === null ? "" : quotas.max_media_bytes / gigabyte,
    max_sms_per_day: quotas.max_sms_per_day,
    ...nobody,
  };
}

type CreateBody = NonNullable<
  operations["api.enterprises.create"]["requestBody"]
>["content"]["application/json"];

export function bodyOfNew(values: EnterpriseValues): CreateBody {
  return {
    ...bodyOf(values),
    admin: {
      login: values.admin_login.trim(),
      ...filledIn({
        email: values.admin_email.trim(),
        firstname: values.admin_firstname.trim(),
        lastname: values.admin_lastname.trim(),
        password: values.admin_password,
      }),
    },
  };
}

type ChangeBody = NonNullable<
  operations["api.enterprises.update"]["requestBody"]
>["content"]["application/json"];

export function bodyOfChange(before: EnterpriseValues, after: EnterpriseValues): ChangeBody {
  const [was, is] = [bodyOf(before), bodyOf(after)];
  const changed = changedFields(was, is);
  return "quotas" in changed
    ? { ...changed, quotas: changedFields(was.quotas, is.quotas) }
    : changed;
}

function bodyOf(values: EnterpriseValues) {
  return {
    name: values.name.trim(),
    time_zone: values.time_zone,
    language: values.language,
    solution_enabled: values.solution_enabled,
    managed_by: values.managed_by === "" ? null : Number(values.managed_by),
    quotas: quotasOf(values),
  };
}

function quotasOf(values: EnterpriseValues) {
  return {
    max_users: boundOf(values.max_users),
    max_media_bytes:
      values.max_media_gigabytes === "" ? null : Math.round(values.max_media_gigabytes * gigabyte),
    ...(values.max_sms_per_day === "" ? {} : { max_sms_per_day: values.max_sms_per_day }),
  };
}

function boundOf(amount: Amount): number | null {
  return amount === "" ? null : amount;
}

/** Omits empty values, so that the API applies its defaults. */
function filledIn<T extends Record<string, string>>(texts: T): Partial<T> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")) as Partial<T>;
}

/** Maps an API field to the form field: `admin.login`, `quotas.max_users`. */
export function fieldOf(name: string): string {
  if (name.startsWith("admin.")) {
    return name.replace("admin.", "admin_");
  }
  return name === "quotas.max_media_bytes" ? "max_media_gigabytes" : name.replace("quotas.", "");
}
