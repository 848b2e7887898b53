import type { CustomHeader } from "../contracts/subscriptions.ts";
import type { JsonSchema } from "../http/route.ts";
import { maxHeaderName, maxHeaders, maxHeaderValue } from "./custom-headers.ts";
import { maxFilters } from "./model.ts";
import { maxUrlLength } from "./receiver-url.ts";

export const idParam = { type: "integer", minimum: 1 };

export const webhookParams: JsonSchema = {
  type: "object",
  required: ["webhookId"],
  properties: { webhookId: idParam },
};
export type WebhookParams = { webhookId: number };

const settings = {
  name: { type: "string", maxLength: 128, pattern: "^[^\\p{Cc}]*$" },
  url: { type: ["string", "null"], maxLength: maxUrlLength },
  active: { type: "boolean" },
  ordered: { type: "boolean" },
  maxInFlight: { type: ["integer", "null"], minimum: 1, maximum: 10_000 },
  filters: {
    type: "array",
    maxItems: maxFilters,
    uniqueItems: true,
    items: { type: "string", maxLength: 128 },
  },
  headers: {
    type: "array",
    maxItems: maxHeaders,
    items: {
      type: "object",
      additionalProperties: false,
      required: ["name", "value"],
      properties: {
        name: { type: "string", minLength: 1, maxLength: maxHeaderName },
        value: { type: "string", maxLength: maxHeaderValue },
      },
    },
  },
};

export const changeWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: settings,
};

export type ChangeWebhookBody = {
  name?: string;
  url?: string | null;
  active?: boolean;
  ordered?: boolean;
  maxInFlight?: number | null;
  filters?: string[];
  headers?: CustomHeader[];
};

export const createWebhookSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...settings, secret: { type: "string", maxLength: 128 } },
};

export type CreateWebhookBody = ChangeWebhookBody & { secret?: string };
