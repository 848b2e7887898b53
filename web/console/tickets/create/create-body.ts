/** What was filled in → what the platform is told. Pure. */
import {
  noValues,
  ticketLanguages,
  type CommonValues,
  type TicketLanguage,
} from "../ticket-fields.tsx";
import { recogniseContact } from "./contact.ts";

export type CreateValues = CommonValues & {
  /** Phone or e-mail, as typed. */
  contact: string;
  /** The other of the two. */
  second: string;
  agent: string;
  service: string;
  invite: boolean;
};

export const noCreateValues: CreateValues = {
  ...noValues,
  ...{ contact: "", second: "", agent: "", service: "", invite: true },
};

const texts = [
  "name",
  "firstname",
  "lastname",
  "company",
  "reference",
  "subject",
  "description",
] as const;

/** Fields that were left empty are not sent. `prefix`: of national numbers, see `recogniseContact`. */
export function toBody(values: CreateValues, prefix: string | undefined) {
  return {
    agent: values.agent,
    ...contactsOf([values.second, values.contact], prefix),
    ...Object.fromEntries(
      texts.map((name) => [name, values[name].trim()]).filter(([, text]) => text),
    ),
    ...languageOf(values.language),
    ...(values.priority === "2" ? {} : { priority: Number(values.priority) }),
    ...(values.service === "" ? {} : { service_key: values.service }),
    ...(values.startTime === "" ? {} : { startTime: new Date(values.startTime).toISOString() }),
    ...(Number(values.duration) === 30 || values.duration === ""
      ? {}
      : { duration: Number(values.duration) }),
    invite: values.invite,
  };
}

function contactsOf(typed: readonly string[], prefix: string | undefined) {
  const found: { phone?: string; email?: string } = {};
  for (const text of typed) {
    const contact = recogniseContact(text, prefix);
    if (contact.kind === "phone" || contact.kind === "email") {
      found[contact.kind] = contact.value;
    }
  }
  return found;
}

function languageOf(text: string): { language?: TicketLanguage } {
  const language = ticketLanguages.find((known) => known === text);
  return language === undefined ? {} : { language };
}
