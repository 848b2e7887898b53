/** JSON schemas of the operations on webhooks: bodies of requests, then answers. */
import { eventActions, objectKinds } from "../contracts/events.ts";
import { healthStates } from "../contracts/receiver-health.ts";
import { sessionEventTypes } from "../contracts/session-events.ts";
import type { JsonSchema } from "../http/route.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  text,
  timestamp,
} from "../http/schema.ts";
import { oneOf } from "./settings/schemas.ts";
import { settings, type SubscriptionInput } from "./settings/table.ts";
import { secretField as secret } from "./signing-keys.ts";

const properties = Object.fromEntries(settings.map(({ name, input }) => [name, input]));

export const changeWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties,
};

export type ChangeWebhookBody = SubscriptionInput;

export const createWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...properties, secret },
};

export type CreateWebhookBody = ChangeWebhookBody & { secret?: string };

/** The members of `presentHealth`. */
const healthMembers = {
  state: oneOf(healthStates),
  window: integer,
  failures_in_row: integer,
  last_code: nullableInteger,
  last_error: nullableText,
  throttled_until: nullableTimestamp,
  next_probe: nullableTimestamp,
  warned: nullableTimestamp,
  pulled_to: nullableInteger,
  pulled_at: nullableTimestamp,
};

const subscriptionMembers = {
  id: integer,
  ...Object.fromEntries(settings.map(({ name, answer }) => [name, answer])),
  secrets: listOfItems(exactObject("WebhookSecret", { until: nullableTimestamp })),
  publicKeys: listOfItems(exactObject("WebhookPublicKey", { key: text, until: nullableTimestamp })),
  created: timestamp,
  modified: timestamp,
  disabled_reason: nullableText,
  last_success: nullableTimestamp,
  last_failure: nullableTimestamp,
  failing_since: nullableTimestamp,
  health: exactObject("WebhookHealth", healthMembers),
};

export const webhookAnswer = exactObject("Webhook", subscriptionMembers);

/** The secret is shown at creation and rotation only. */
export const createdWebhookAnswer = exactObject("CreatedWebhook", {
  ...subscriptionMembers,
  secret: text,
});

const count = exactObject("WebhookCount", { count: integer, more: flag });

export const webhookHealthAnswer = exactObject("WebhookStanding", {
  ...healthMembers,
  maxInFlight: nullableInteger,
  maxPerSecond: nullableInteger,
  in_flight: count,
  due: count,
  oldest_due: nullableTimestamp,
  planned: count,
  waiting: count,
  paused: count,
  to_pull: nullableInteger,
});

export const webhookListAnswer = listOf("WebhookList", webhookAnswer);

const actions = { type: "string", enum: eventActions };

export const eventCatalogueAnswer: JsonSchema = exactObject("EventCatalogue", {
  objects: {
    type: "array",
    items: exactObject("EventCatalogueObject", {
      object: { type: "string", enum: objectKinds },
      operational: flag,
      events: { type: "array", items: actions },
      meanings: { type: "object", additionalProperties: text },
      filters: listOfItems(text),
    }),
  },
  eventTypes: {
    type: "array",
    items: exactObject("EventCatalogueType", {
      eventType: { type: "string", enum: sessionEventTypes },
      eventCode: integer,
      deprecated: flag,
      filter: text,
    }),
  },
});

function listOfItems(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
