/** The query of the list → what is searched and how it is sorted. Pure. */
import { parseBound } from "../http/values.ts";
import { ticketStates, type TicketState } from "../contracts/events.ts";
import { invalidParameter } from "../contracts/problems.ts";
import type { ListTicketsQuery, Ordering } from "./schema.ts";

export type TicketFilter = Readonly<{
  reference: string | undefined;
  states: readonly TicketState[] | undefined;
  agentLogin: string | undefined;
  serviceKey: string | undefined;
  since: Date | undefined;
  /** Not included. */
  until: Date | undefined;
}>;

export type TicketSort = Readonly<{ orderby: Ordering; order: "asc" | "desc" }>;

const states: readonly string[] = ticketStates;
const isTicketState = (text: string): text is TicketState => states.includes(text);

/** A parameter that was left empty is one that was not given. */
const givenText = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === "" ? undefined : text;

const statesOf = (text: string | undefined): readonly TicketState[] | undefined => {
  const words = givenText(text)
    ?.split(",")
    .map((word) => word.trim());
  if (words !== undefined && !words.every(isTicketState)) {
    throw invalidParameter("state", "unknown");
  }
  return words;
};

export const parseTicketFilter = (query: ListTicketsQuery): TicketFilter => ({
  reference: givenText(query.reference),
  states: statesOf(query.state),
  agentLogin: givenText(query.agent),
  serviceKey: givenText(query.service_key),
  since: parseBound("since", query.since),
  until: parseBound("until", query.until),
});

export const parseTicketSort = (query: ListTicketsQuery): TicketSort => ({
  orderby: query.orderby ?? "date",
  order: query.order ?? "desc",
});
