import { eventActions, objectKinds } from "../../contracts/events.ts";
import { sessionEventTypes } from "../../contracts/session-events.ts";
import { idParams } from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";

export const deliveryParams = idParams("deliveryId");
export type DeliveryParams = { deliveryId: number };

export const webhookDeliveryParams = idParams("webhookId", "deliveryId");

const filters = {
  status: { type: "string", maxLength: 255 },
  result: { type: "string", maxLength: 255 },
  object: { type: "string", enum: objectKinds },
  objectId: { type: "string", minLength: 1, maxLength: 64 },
  event: { type: "string", enum: eventActions },
  eventType: { type: "string", enum: sessionEventTypes },
  eventId: { type: "string", pattern: "^evt_[A-Za-z0-9_-]{1,60}$" },
  text: { type: "string", minLength: 2, maxLength: 100 },
  replay: { type: "integer", minimum: 1 },
  since: { type: "string", maxLength: 40 },
  until: { type: "string", maxLength: 40 },
  cursor: { type: "string", maxLength: 256 },
  limit: { type: "integer" },
};

/** Of the deliveries of one webhook. */
export const listDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: { ...filters, offset: { type: "integer" } },
};

/** Of those of all webhooks. */
export const searchDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: { webhook: { type: "string", maxLength: 1_000 }, ...filters },
};

export type SearchDeliveriesQuery = {
  webhook?: string;
  status?: string;
  result?: string;
  object?: (typeof objectKinds)[number];
  objectId?: string;
  event?: (typeof eventActions)[number];
  eventType?: (typeof sessionEventTypes)[number];
  eventId?: string;
  text?: string;
  replay?: number;
  since?: string;
  until?: string;
  cursor?: string;
  limit?: number;
};

export type ListDeliveriesQuery = Omit<SearchDeliveriesQuery, "webhook"> & { offset?: number };
