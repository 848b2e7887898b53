import type { ConversationEventProps, OutboundEvent } from "../contracts/events.ts";
import {
  sessionEventCodes,
  type SessionEventSource,
  type SessionEventType,
} from "../contracts/session-events.ts";

/** One entry of a ticket's timeline, before it has an id. */
export type NewSessionEvent = Readonly<{
  enterpriseId: number;
  ticketId: number;
  conversationId: number;
  eventType: SessionEventType;
  source: SessionEventSource;
  at: Date;
  /** What the type adds to the common attributes, in the order of the reference. */
  attributes: Readonly<Record<string, unknown>>;
}>;

/** The event that tells the entry. It shares the ticket's key, so both keep their order. */
export function sessionEventCreated(id: number, entry: NewSessionEvent): OutboundEvent {
  const props: ConversationEventProps = {
    eventType: entry.eventType,
    eventCode: sessionEventCodes[entry.eventType],
    ticketId: entry.ticketId,
    conversationId: entry.conversationId,
    ...entry.attributes,
  };
  return {
    enterpriseId: entry.enterpriseId,
    key: `ticket:${entry.ticketId}`,
    event: "create",
    object: "conversationevent",
    eventType: entry.eventType,
    objectId: id,
    props,
  };
}
