import { objectKinds } from "../../contracts/events.ts";
import type { JsonSchema } from "../../http/route.ts";
import { idParam, type WebhookParams } from "../schema.ts";

export const deliveryParams: JsonSchema = {
  type: "object",
  required: ["webhookId", "deliveryId"],
  properties: { webhookId: idParam, deliveryId: idParam },
};
export type DeliveryParams = WebhookParams & { deliveryId: number };

export const listDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: {
    status: { type: "string", maxLength: 255 },
    object: { type: "string", enum: objectKinds },
    since: { type: "string", maxLength: 40 },
    limit: { type: "integer" },
    offset: { type: "integer" },
  },
};

export type ListDeliveriesQuery = {
  status?: string;
  object?: string;
  since?: string;
  limit?: number;
  offset?: number;
};
