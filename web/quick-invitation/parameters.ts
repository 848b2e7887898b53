/** What the address of the page says. Pure: a query in, values out; garbage means nothing. */
import { splitList, type Draft } from "./recipients.ts";

export type Parameters = Readonly<{
  /** Empty where none was given. */
  reference: string;
  /** As given, right or wrong. */
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
    reference: cutReference(query.get("reference") ?? ""),
    serviceKey: query.get("service_key") || undefined,
    recipients: [...draftsOf("phone_numbers", "phone"), ...draftsOf("email_addresses", "email")],
    isServiceFixed: query.get("read_only.service") === "true",
    areRecipientsFixed: query.get("read_only.recipients") === "true",
  };
}

const maxReference = 50;

/** Whole characters only: never half of one that takes two units. On one line. */
function cutReference(text: string): string {
  return [...text.replaceAll(/\p{Cc}+/gu, " ").trim()].slice(0, maxReference).join("");
}
