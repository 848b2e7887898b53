/** Converts the form of the company to the API's body. Pure. */
import type { components } from "../../../base/api-types.ts";
import { changedFields } from "../../../base/changed-fields.ts";

export type Company = components["schemas"]["Enterprise"];

export type CompanyValues = {
  name: string;
  time_zone: string;
  language: Company["language"];
  sip_phone_number: string;
  sms_sender: string;
  payload_days: number | "";
  log_days: number | "";
};

export function valuesOf(company: Company): CompanyValues {
  return {
    name: company.name,
    time_zone: company.time_zone,
    language: company.language,
    sip_phone_number: company.sip_phone_number,
    sms_sender: company.sms_sender,
    payload_days: company.retention.payload_days ?? "",
    log_days: company.retention.log_days ?? "",
  };
}

export function bodyOfChange(before: CompanyValues, after: CompanyValues) {
  const { payload_days: payload, log_days: log, ...changed } = changedFields(before, after);
  const retention = {
    ...(payload === undefined ? {} : { payload_days: payload === "" ? null : payload }),
    ...(log === undefined ? {} : { log_days: log === "" ? null : log }),
  };
  return Object.keys(retention).length === 0 ? changed : { ...changed, retention };
}
