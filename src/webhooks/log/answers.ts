/** What the operations of the delivery log answer. */
import {
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { deliveryStates } from "./store.ts";

const deliveryMembers = {
  id: integer,
  webhook: exactObject("DeliveryWebhook", {
    id: integer,
    name: text,
    origin: nullableText,
    deleted: flag,
  }),
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
  end_reason: nullableText,
  last_attempt: nullableTimestamp,
  last_ms: nullableInteger,
  last_result: nullableText,
  last_code: nullableInteger,
  last_error: nullableText,
  replay: nullableInteger,
  replay_of: nullableInteger,
};

const attempt = exactObject("WebhookAttempt", {
  number: integer,
  origin: nullableText,
  address_changed: { type: ["boolean", "null"] },
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

const items: JsonSchema = {
  type: "array",
  items: exactObject("WebhookDeliveryItem", deliveryMembers),
};

const pageMembers = {
  data: items,
  next_cursor: nullableText,
  examined: integer,
  complete: flag,
};

export const deliverySearchAnswer = exactObject("WebhookDeliverySearch", pageMembers);

export const deliveryExportAnswer = exactObject("WebhookDeliveryExport", {
  complete: flag,
  next_cursor: nullableText,
  data: items,
});

export const deliveryListAnswer = exactObject("WebhookDeliveryList", {
  total: integer,
  total_exact: flag,
  ...pageMembers,
});

export const deliveryAnswer = exactObject("WebhookDelivery", {
  ...deliveryMembers,
  waits_for_id: nullableInteger,
  body: nullableText,
  expunged: nullableTimestamp,
  attempts: { type: "array", items: attempt },
});

function nullableMap(values: JsonSchema): JsonSchema {
  return {
    type: ["object", "null"],
    additionalProperties: values,
  };
}
