/** An event as answers name it: which it is, what it is about, and when it was. */
import { nullableText, text, timestamp } from "./schema.ts";
import { toTimestamp } from "../platform/timestamps.ts";

export const eventSummaryMembers = {
  webhook_id: text,
  object: text,
  event: text,
  event_type: nullableText,
  object_id: { type: ["integer", "string"] },
  time: timestamp,
};

export function presentEventSummary(
  event: Readonly<{
    eventId: string;
    object: string;
    event: string;
    eventType: string | null;
    objectId: string;
    occurredAt: Date;
  }>,
) {
  return {
    webhook_id: event.eventId,
    object: event.object,
    event: event.event,
    event_type: event.eventType,
    object_id: presentObjectId(event.objectId),
    time: toTimestamp(event.occurredAt),
  };
}

/** Ids are integers, but for objects that have a public uid. As the API shows them. */
export function presentObjectId(objectId: string): number | string {
  return /^\d{1,15}$/u.test(objectId) ? Number(objectId) : objectId;
}
