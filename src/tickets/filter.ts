/** The query of the list → what is searched and how it is sorted. Pure. */
import { parseBound } from "../http/values.ts";
import type { TicketState } from "../contracts/events.ts";
import { wordsIn } from "../http/fields/words.ts";
import type { ListTicketsQuery, Ordering } from "./schema.ts";

/** Of one typed text, what it could be. */
export type TicketSearch = Readonly<{
  /** Looked for in the reference, the subject, names and addresses, in any case. */
  text: string;
  /** Of a phone number, as they stand in its international form; undefined where it is none. */
  phoneDigits: string | undefined;
  id: number | undefined;
}>;

export type TicketFilter = Readonly<{
  reference: string | undefined;
  search: TicketSearch | undefined;
  states: readonly TicketState[] | undefined;
  agentLogin: string | undefined;
  serviceKey: string | undefined;
  since: Date | undefined;
  /** Not included. */
  until: Date | undefined;
}>;

export type TicketSort = Readonly<{ orderby: Ordering; order: "asc" | "desc" }>;

export function parseTicketFilter(query: ListTicketsQuery): TicketFilter {
  return {
    reference: givenText(query.reference),
    search: searchOf(query.search),
    states: statesOf(query.state),
    agentLogin: givenText(query.agent),
    serviceKey: givenText(query.service_key),
    since: parseBound("since", query.since),
    until: parseBound("until", query.until),
  };
}

const phone = /^\+?[\d\s().\-/]{4,}$/u;

const ticketId = /^#?([1-9]\d{0,14})$/u;

function searchOf(given: string | undefined): TicketSearch | undefined {
  const text = givenText(given)?.trim();
  if (text === undefined) {
    return undefined;
  }
  // A national number stands in the international one without its leading zeros.
  const digits = phone.test(text) ? text.replace(/\D/gu, "").replace(/^0+/u, "") : "";
  const id = ticketId.exec(text)?.[1];
  return {
    text,
    phoneDigits: digits.length < 4 ? undefined : digits,
    id: id === undefined ? undefined : Number(id),
  };
}

/** A parameter that was left empty is one that was not given. */
function givenText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** The schema knows the words. */
function statesOf(text: string | undefined): readonly TicketState[] | undefined {
  const words = wordsIn(text ?? "");
  return words.length === 0 ? undefined : (words as TicketState[]);
}

export function parseTicketSort(query: ListTicketsQuery): TicketSort {
  return {
    orderby: query.orderby ?? "date",
    order: query.order ?? "desc",
  };
}
