import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { maskRequestHeaders, maskResponseHeaders } from "../custom-headers.ts";
import type { Attempt, Delivery } from "./store.ts";

/** States in which a delivery has a time of its next try. */
const scheduledStates: readonly Delivery["state"][] = ["pending", "queued", "retry"];

/** Ids are integers, but for objects that have a public uid. */
const presentObjectId = (objectId: string | null): number | string | null =>
  objectId !== null && /^\d{1,15}$/u.test(objectId) ? Number(objectId) : objectId;

/** A delivery as an item of the list. */
export const presentDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  sequence: delivery.sequence,
  webhook_id: delivery.messageId,
  object: delivery.object,
  event: delivery.event,
  event_type: delivery.eventType,
  object_id: presentObjectId(delivery.objectId),
  status: delivery.state,
  attempt_count: delivery.attempts,
  next_try: scheduledStates.includes(delivery.state) ? toTimestamp(delivery.dueAt) : null,
  waits_for: delivery.waitsFor,
  created: toTimestamp(delivery.created),
  ended: toTimestampOrNull(delivery.ended),
  last_code: delivery.lastStatus,
  last_error: delivery.lastFailure,
});

const presentAttempt = (attempt: Attempt) => ({
  number: attempt.number,
  counted: attempt.isCounted,
  started: toTimestamp(attempt.startedAt),
  ms: attempt.durationMs,
  code: attempt.status,
  error: attempt.failure,
  error_detail: attempt.failureDetail,
  phases: attempt.phases,
  request_headers: attempt.requestHeaders && maskRequestHeaders(attempt.requestHeaders),
  response_headers: attempt.responseHeaders && maskResponseHeaders(attempt.responseHeaders),
  response_body: attempt.responseBody,
});

/** A delivery with the exact text that is sent, and what became of each attempt. */
export const presentDeliveryInFull = (delivery: Delivery, attempts: readonly Attempt[]) => ({
  ...presentDelivery(delivery),
  body: delivery.body,
  attempts: attempts.map(presentAttempt),
});
