import {
  exactObject,
  flag,
  integer,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/answer-schema.ts";
import { idParams } from "../../http/request-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { mostRetried, refusalReasons } from "./model.ts";

export const retryParams = idParams("deliveryId");
export type RetryParams = { deliveryId: number };

export const retryManySchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["deliveries"],
  properties: {
    deliveries: {
      type: "array",
      minItems: 1,
      maxItems: mostRetried,
      uniqueItems: true,
      items: { type: "integer", minimum: 1 },
    },
  },
};

export type RetryManyBody = { deliveries: number[] };

export const retriedAnswer = exactObject("RetriedWebhookDelivery", {
  id: integer,
  webhook: integer,
  due: timestamp,
  throttled_until: nullableTimestamp,
  probed: flag,
});

const refusedAnswer = exactObject("RefusedWebhookRetry", {
  id: integer,
  reason: { type: "string", enum: refusalReasons },
  detail: text,
});

export const retriedManyAnswer = exactObject("RetriedWebhookDeliveries", {
  retried: { type: "array", items: retriedAnswer },
  refused: { type: "array", items: refusedAnswer },
});

export const probedAnswer = exactObject("ProbedWebhook", { webhook: integer, due: timestamp });
