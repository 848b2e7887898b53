/** An event as answers name it: which it is, what it is about, and when it was. */
import { nullableText, oldNameOf, text, timestamp } from "./schema.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import type { JsonSchema } from "./route.ts";

/** The members that `presentEventId` makes. */
export const eventIdMembers = eventIdMembersOf(text);

/** For answers about events that may not be kept any more. */
export const nullableEventIdMembers = eventIdMembersOf(nullableText);

function eventIdMembersOf(schema: JsonSchema) {
  return { event_id: schema, webhook_id: oldNameOf("event_id", schema) };
}

/** `webhook_id` is the old name of `event_id`: answers keep it for one version. */
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

/** Ids are integers, but for objects that have a public uid. As the API shows them. */
export function presentObjectId(objectId: string): number | string {
  return /^\d{1,15}$/u.test(objectId) ? Number(objectId) : objectId;
}
