/** What the operations of webhooks answer. */
import { eventActions, objectKinds } from "../contracts/events.ts";
import { sessionEventTypes } from "../contracts/session-events.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
} from "../http/answer-schema.ts";
import type { JsonSchema } from "../http/route.ts";

const nullableTimestamp = { ...timestamp, type: ["string", "null"] };
const textList = { type: "array", items: text };
const maskedHeader = exactObject("WebhookHeader", { name: text, value: text });

const subscriptionMembers = {
  id: integer,
  name: text,
  url: nullableText,
  active: flag,
  ordered: flag,
  maxInFlight: nullableInteger,
  filters: textList,
  headers: { type: "array", items: maskedHeader },
  created: timestamp,
  modified: timestamp,
  disabled_reason: nullableText,
  last_success: nullableTimestamp,
  last_failure: nullableTimestamp,
  failing_since: nullableTimestamp,
};

export const webhookAnswer = exactObject("Webhook", subscriptionMembers);

/** Only here its secret is shown. */
export const createdWebhookAnswer = exactObject("CreatedWebhook", {
  ...subscriptionMembers,
  secret: text,
});

export const webhookListAnswer = listOf("WebhookList", webhookAnswer);

const actions = { type: "string", enum: eventActions };

export const eventCatalogueAnswer: JsonSchema = exactObject("EventCatalogue", {
  objects: {
    type: "array",
    items: exactObject("EventCatalogueObject", {
      object: { type: "string", enum: objectKinds },
      events: { type: "array", items: actions },
      filters: textList,
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
