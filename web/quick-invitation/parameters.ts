/** Parses the URL parameters; invalid values are ignored. Pure. */
import { splitList, type Draft } from "./recipients.ts";

export type Parameters = Readonly<{
  /** Empty for none. */
  reference: string;
  /** Unvalidated. */
  serviceKey: string | undefined;
  recipients: readonly Draft[];
  isServiceFixed: boolean;
  areRecipientsFixed: boolean;
}>;

export function readParameters(search: string): Parameters {
  const query = new URLSearchParams(search);
  const draftsOf = (name: string, as: "phone" | "email"): Draft[] =>
    query.getAll(name).flatMap((list) => splitList(list, /,/u).map((text) => ({ text, as })));
  return {
    reference: truncateReference(query.get("reference") ?? ""),
    serviceKey: query.get("service_key") || undefined,
    recipients: [...draftsOf("phone_numbers", "phone"), ...draftsOf("email_addresses", "email")],
    isServiceFixed: query.get("read_only.service") === "true",
    areRecipientsFixed: query.get("read_only.recipients") === "true",
  };
}

const maxReference = 50;

/** Truncates without splitting surrogate pairs, and removes line breaks. */
function truncateReference(text: string): string {
  return [...text.replaceAll(/\p{Cc}+/gu, " ").trim()].slice(0, maxReference).join("");
}
