/** What the operations of the delivery log answer. */
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { deliveryStates } from "./store.ts";

const nullableTimestamp = { ...timestamp, type: ["string", "null"] };

const deliveryMembers = {
  id: integer,
  sequence: integer,
  webhook_id: nullableText,
  object: text,
  event: nullableText,
  event_type: nullableText,
  object_id: { type: ["integer", "string", "null"] },
  status: { type: "string", enum: deliveryStates },
  attempt_count: integer,
  next_try: nullableTimestamp,
  waits_for: nullableInteger,
  created: timestamp,
  ended: nullableTimestamp,
  last_code: nullableInteger,
  last_error: nullableText,
};

const nullableMap = (values: JsonSchema): JsonSchema => ({
  type: ["object", "null"],
  additionalProperties: values,
});

const attempt = exactObject("WebhookAttempt", {
  number: integer,
  counted: flag,
  started: timestamp,
  ms: integer,
  code: nullableInteger,
  error: nullableText,
  error_detail: nullableText,
  phases: nullableMap({ type: "number" }),
  request_headers: nullableMap(text),
  response_headers: nullableMap(text),
  response_body: nullableText,
});

export const deliveryListAnswer = listOf(
  "WebhookDeliveryList",
  exactObject("WebhookDeliveryItem", deliveryMembers),
);

export const deliveryAnswer = exactObject("WebhookDelivery", {
  ...deliveryMembers,
  body: nullableText,
  attempts: { type: "array", items: attempt },
});
