import type { EventAction, OutboundEvent, TicketProps } from "../contracts/events.ts";
import type { Person, SessionEventSource, SessionEventType } from "../contracts/session-events.ts";
import type { TimelineEntry } from "./ports.ts";
import { requestorPerson, type Ticket } from "./ticket.ts";

/** The ticket as webhooks show it, now. `geoloc` is absent until a position is known. */
const propsOf = ({ state, geoloc }: Ticket): TicketProps =>
  geoloc === null ? { state } : { state, geoloc: { lat: geoloc.lat, lng: geoloc.lng } };

const ticketEvent = (event: EventAction, ticket: Ticket): OutboundEvent => ({
  enterpriseId: ticket.enterpriseId,
  key: `ticket:${ticket.id}`,
  event,
  object: "ticket",
  objectId: ticket.id,
  props: propsOf(ticket),
});

export const ticketCreated = (ticket: Ticket): OutboundEvent => ticketEvent("create", ticket);
export const ticketUpdated = (ticket: Ticket): OutboundEvent => ticketEvent("update", ticket);
/** Carries the last values. */
export const ticketDeleted = (ticket: Ticket): OutboundEvent => ticketEvent("delete", ticket);

/** What happened on a ticket, as whoever saw it says it. */
export type Happening = Readonly<{
  eventType: SessionEventType;
  source: SessionEventSource;
  attributes: Readonly<Record<string, unknown>>;
}>;

export const entryOf = (ticket: Ticket, happening: Happening, at: Date): TimelineEntry => ({
  enterpriseId: ticket.enterpriseId,
  ticketId: ticket.id,
  conversationId: ticket.conversationId,
  eventType: happening.eventType,
  source: happening.source,
  at,
  attributes: happening.attributes,
});

export type AgentEventType =
  | "ticket.new"
  | "ticket.approved"
  | "ticket.assigned"
  | "ticket.completed"
  | "ticket.cancelled"
  | "ticket.closed"
  | "session.agentContacted"
  | "session.agentLeft";

/** Shows an agent: the ticket's, and who acted where it has none. */
export const agentHappening = (
  eventType: AgentEventType,
  agent: Person,
  source: SessionEventSource = "agent",
): Happening => ({ eventType, source, attributes: { agent } });

export const agentEntry = (
  ticket: Ticket,
  eventType: AgentEventType,
  agent: Person,
): TimelineEntry => entryOf(ticket, agentHappening(eventType, agent), ticket.modifiedAt);

export const priorityEntry = (
  ticket: Ticket,
  agent: Person,
  priorities: { oldPriority: number; newPriority: number },
): TimelineEntry => {
  const attributes = { agent, ...priorities };
  const priorityChanged = { eventType: "ticket.priorityChanged", source: "agent" } as const;
  return entryOf(ticket, { ...priorityChanged, attributes }, ticket.modifiedAt);
};

export type RequestorEventType =
  | "ticket.invitationSent"
  | "ticket.invitationResent"
  | "ticket.invitationDeclined"
  | "ticket.invitationNotclicked"
  | "session.established"
  | "session.userLeft";

/** Shows the customer. */
export const requestorHappening = (
  ticket: Ticket,
  eventType: RequestorEventType,
  source: SessionEventSource,
): Happening => ({ eventType, source, attributes: { requestor: requestorPerson(ticket) } });
