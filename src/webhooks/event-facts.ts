/** An event as answers name it: which it is, what it is about, and when it was. */
import { nullableText, text, timestamp } from "../http/answer-schema.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import { presentObjectId } from "./object-id.ts";

export const eventMembers = {
  webhook_id: text,
  object: text,
  event: text,
  event_type: nullableText,
  object_id: { type: ["integer", "string"] },
  time: timestamp,
};

export function presentEventFacts(
  event: Readonly<{
    messageId: string;
    object: string;
    event: string;
    eventType: string | null;
    objectId: string;
    occurredAt: Date;
  }>,
) {
  return {
    webhook_id: event.messageId,
    object: event.object,
    event: event.event,
    event_type: event.eventType,
    object_id: presentObjectId(event.objectId),
    time: toTimestamp(event.occurredAt),
  };
}
