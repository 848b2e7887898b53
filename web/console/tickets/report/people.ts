/** The people in a ticket's report, derived from its data. Pure. */
import { contactsOf, nameOf } from "../person.ts";
import { peopleOf } from "../timeline/event-actor.ts";
import type { ChatMessage, Ticket, TimelineEvent } from "../types.ts";

export type ReportPerson = Readonly<{
  name: string;
  role: "customer" | "agent" | "guest";
  /** Phone and address. */
  contacts: readonly string[];
}>;

type Sources = Readonly<{
  ticket: Ticket;
  events: readonly TimelineEvent[];
  messages: readonly ChatMessage[];
}>;

/** The customer first, then agents, then other authors; without duplicates. */
export function peopleOfReport({ ticket, events, messages }: Sources): ReportPerson[] {
  const customer = ticket.name ?? nameOf(ticket.requestor);
  const agents = [
    ...events.map((event) => peopleOf(event).agent),
    ...messages.filter(({ author }) => author === "agent").map(({ name }) => name),
  ];
  const guests = messages.filter(({ author }) => author === "guest").map(({ name }) => name);
  const people: ReportPerson[] = [
    { name: customer, role: "customer", contacts: contactsOf(ticket.requestor) },
    ...(agents.some((name) => name !== "") ? agents : [ticket.agent]).map(
      (name) => ({ name, role: "agent", contacts: [] }) as const,
    ),
    ...guests.map((name) => ({ name, role: "guest", contacts: [] }) as const),
  ];
  const isOf = (one: ReportPerson, other: ReportPerson): boolean => one.name === other.name;
  return people.filter(
    (person, nth) => person.name !== "" && people.findIndex((other) => isOf(other, person)) === nth,
  );
}
