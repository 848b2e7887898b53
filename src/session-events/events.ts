import type { ConversationEventProps, OutboundEvent } from "../contracts/events.ts";
import { sessionEventCodes, type TimelineEntry } from "../contracts/session-events.ts";

/** The event that tells the entry. It shares the ticket's key, so both keep their order. */
export function sessionEventCreated(id: number, entry: TimelineEntry): OutboundEvent {
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
