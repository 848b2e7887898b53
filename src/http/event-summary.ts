/** The members that identify and describe an event in answers. */
import { nullableText, oldNameOf, text, timestamp } from "./schema.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { JsonSchema } from "./route.ts";

/** The members of `presentEventId`. */
export const eventIdMembers = eventIdMembersOf(text);

/** For answers about events that may no longer be stored. */
export const nullableEventIdMembers = eventIdMembersOf(nullableText);

function eventIdMembersOf(schema: JsonSchema) {
  return { event_id: schema, webhook_id: oldNameOf("event_id", schema) };
}

/** `webhook_id` is the old name of `event_id`; answers keep it for one version. */
export function presentEventId<Id extends string | null>(eventId: Id) {
  return { event_id: eventId, webhook_id: eventId };
}

export const eventSummaryMembers = {
  ...eventIdMembers,
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
    ...presentEventId(event.eventId),
    object: event.object,
    event: event.event,
    event_type: event.eventType,
    object_id: presentObjectId(event.objectId),
    time: toTimestamp(event.occurredAt),
  };
}

/**
 * The id of an object as the API shows it: an integer, or a string for objects with a public uid.
 */
export function presentObjectId(objectId: string): number | string {
  return /^\d{1,15}$/u.test(objectId) ? Number(objectId) : objectId;
}
