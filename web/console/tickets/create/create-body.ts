/** Converts the form to the request body. Pure. */
import { fieldRows, noValues, sentValue, type CommonValues } from "../ticket-fields.ts";
import { recogniseContact } from "./contact.ts";

export type CreateValues = CommonValues & {
  /** Phone or email, as typed. */
  contact: string;
  /** The other kind of contact. */
  second: string;
  agent: string;
  service: string;
  invite: boolean;
};

export const noCreateValues: CreateValues = {
  ...noValues,
  ...{ contact: "", second: "", agent: "", service: "", invite: true },
};

/** Omits unchanged fields. `prefix`: see `recogniseContact`. */
export function toBody(values: CreateValues, prefix: string | undefined) {
  return {
    agent: values.agent,
    ...contactsOf([values.second, values.contact], prefix),
    ...filledIn(values),
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

function filledIn(values: CreateValues): Record<string, unknown> {
  return Object.fromEntries(
    fieldRows
      .filter(([name, { initial = "" }]) => values[name].trim() !== initial)
      .map(([name, row]) => [name, sentValue(row, values[name].trim())]),
  );
}
