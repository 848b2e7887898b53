import type { EventAction, OutboundEvent, TicketProps } from "../contracts/events.ts";
import type {
  Person,
  SessionEventSource,
  TimelineEvent,
  TimelineEntry,
} from "../contracts/session-events.ts";
import { requestorPerson, type Ticket } from "./model.ts";

export type AgentEventType =
  | "ticket.new"
  | "ticket.approved"
  | "ticket.assigned"
  | "ticket.completed"
  | "ticket.cancelled"
  | "ticket.closed"
  | "session.agentContacted"
  | "session.agentLeft";

export type RequestorEventType =
  | "ticket.invitationSent"
  | "ticket.invitationResent"
  | "ticket.invitationDeclined"
  | "ticket.invitationNotclicked"
  | "session.established"
  | "session.userLeft";

export function ticketCreated(ticket: Ticket): OutboundEvent {
  return ticketEvent("create", ticket);
}

export function ticketUpdated(ticket: Ticket): OutboundEvent {
  return ticketEvent("update", ticket);
}

/** Contains the last values. */
export function ticketDeleted(ticket: Ticket): OutboundEvent {
  return ticketEvent("delete", ticket);
}

function ticketEvent(event: EventAction, ticket: Ticket): OutboundEvent {
  return {
    enterpriseId: ticket.enterpriseId,
    key: `ticket:${ticket.id}`,
    event,
    object: "ticket",
    objectId: ticket.id,
    props: propsOf(ticket),
  };
}

/** The payload of webhooks. `geoloc` is absent until a position is known. */
function propsOf({ state, geoloc }: Ticket): TicketProps {
  return geoloc === null ? { state } : { state, geoloc: { lat: geoloc.lat, lng: geoloc.lng } };
}

export function agentEntry(
  ticket: Ticket,
  eventType: AgentEventType,
  agent: Person,
): TimelineEntry {
  return toTimelineEntry(ticket, agentEvent(eventType, agent), ticket.modifiedAt);
}

/** Entry with the ticket's agent, or the acting user if it has none. */
export function agentEvent(
  eventType: AgentEventType,
  agent: Person,
  source: SessionEventSource = "agent",
): TimelineEvent {
  return { eventType, source, attributes: { agent } };
}

export function priorityEntry(
  ticket: Ticket,
  agent: Person,
  priorities: { oldPriority: number; newPriority: number },
): TimelineEntry {
  const attributes = { agent, ...priorities };
  const priorityChanged = { eventType: "ticket.priorityChanged", source: "agent" } as const;
  return toTimelineEntry(ticket, { ...priorityChanged, attributes }, ticket.modifiedAt);
}

export function toTimelineEntry(ticket: Ticket, event: TimelineEvent, at: Date): TimelineEntry {
  return {
    enterpriseId: ticket.enterpriseId,
    ticketId: ticket.id,
    conversationId: ticket.conversationId,
    eventType: event.eventType,
    source: event.source,
    at,
    attributes: event.attributes,
  };
}

/** Entry with the customer. */
export function requestorEvent(
  ticket: Ticket,
  eventType: RequestorEventType,
  source: SessionEventSource,
): TimelineEvent {
  return { eventType, source, attributes: { requestor: requestorPerson(ticket) } };
}
