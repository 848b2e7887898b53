import type { EventAction, OutboundEvent, TicketProps } from "../contracts/events.ts";
import type { Person, SessionEventType } from "../contracts/session-events.ts";
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

const entry = (
  ticket: Ticket,
  eventType: SessionEventType,
  attributes: Record<string, unknown>,
): TimelineEntry => ({
  enterpriseId: ticket.enterpriseId,
  ticketId: ticket.id,
  conversationId: ticket.conversationId,
  eventType,
  source: "agent",
  at: ticket.modifiedAt,
  attributes,
});

export type AgentEventType =
  | "ticket.new"
  | "ticket.approved"
  | "ticket.assigned"
  | "ticket.completed"
  | "ticket.cancelled"
  | "ticket.closed";

/** An entry that shows an agent: the ticket's, and who acted where it has none. */
export const agentEntry = (
  ticket: Ticket,
  eventType: AgentEventType,
  agent: Person,
): TimelineEntry => entry(ticket, eventType, { agent });

export const priorityEntry = (
  ticket: Ticket,
  agent: Person,
  priorities: { oldPriority: number; newPriority: number },
): TimelineEntry => entry(ticket, "ticket.priorityChanged", { agent, ...priorities });

/** One per channel: mail first, then SMS. */
export const invitationEntries = (ticket: Ticket): TimelineEntry[] =>
  [ticket.requestor.email, ticket.requestor.phone]
    .filter((contact) => contact !== null)
    .map(() => entry(ticket, "ticket.invitationSent", { requestor: requestorPerson(ticket) }));
