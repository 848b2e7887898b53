import { sessionEventCodes } from "../contracts/session-events.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { SessionEvent } from "./store.ts";

/** An entry as the list shows it: what the webhook carries, with `id`, `created` and `source`. */
export function presentSessionEvent(event: SessionEvent): Record<string, unknown> {
  return {
    id: event.id,
    eventType: event.eventType,
    eventCode: sessionEventCodes[event.eventType],
    conversationId: event.conversationId,
    ticketId: event.ticketId,
    created: toTimestamp(event.at),
    source: event.source,
    ...event.attributes,
  };
}
