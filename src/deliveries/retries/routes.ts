import { ok, route, type Route, type JsonSchema } from "../../http/route.ts";
import type { ExpeditedRetry } from "../../pipeline/ledger/retry-now.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { actorOf } from "../../http/authorize.ts";
import {
  webhookParams,
  type WebhookParams,
  exactObject,
  flag,
  integer,
  nullableTimestamp,
  text,
  timestamp,
  idParams,
} from "../../http/schema.ts";
import { type Retries, maxRetried, refusalReasons } from "./service.ts";

export type RetryParams = { deliveryId: number };

export type RetryManyBody = { deliveries: number[] };

const retriedAnswer = exactObject("RetriedWebhookDelivery", {
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

const writing = { permission: "webhooks.write", family: "platform", limit: "api" } as const;

const retryParams = idParams("deliveryId");

const retryManySchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["deliveries"],
  properties: {
    deliveries: {
      type: "array",
      minItems: 1,
      maxItems: maxRetried,
      uniqueItems: true,
      items: { type: "integer", minimum: 1 },
    },
  },
};

const retriedManyAnswer = exactObject("RetriedWebhookDeliveries", {
  retried: { type: "array", items: retriedAnswer },
  refused: { type: "array", items: refusedAnswer },
});

const probedAnswer = exactObject("ProbedWebhook", { webhook: integer, due: timestamp });

/** Manual retries. Registered before `/webhooks/{webhookId}`, which would match `deliveries`. */
export function retryRoutes(retries: Retries): Route[] {
  return [
    route<unknown, unknown, RetryManyBody>({
      ...writing,
      method: "POST",
      path: "/webhooks/deliveries/retry",
      operationId: "retryDeliveries",
      summary: "Retry several deliveries now",
      body: retryManySchema,
      answer: { status: 200, schema: retriedManyAnswer },
      handle: async (request) => {
        const { done, refused, now } = await retries.retryMany(
          actorOf(request),
          request.body.deliveries,
        );
        return ok({ retried: done.map((one) => presentRetried(one, now)), refused });
      },
    }),
    route<RetryParams>({
      ...writing,
      method: "POST",
      path: "/webhooks/deliveries/{deliveryId}/retry",
      operationId: "retryDelivery",
      summary: "Retry a delivery now",
      params: retryParams,
      answer: { status: 202, schema: retriedAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const { done, now } = await retries.retryOne(actorOf(request), request.params.deliveryId);
        return { status: 202, body: presentRetried(done, now) };
      },
    }),
    route<WebhookParams>({
      ...writing,
      method: "POST",
      path: "/webhooks/{webhookId}/probe",
      operationId: "probeWebhook",
      summary: "Probe a receiver with an open circuit now",
      params: webhookParams,
      answer: { status: 202, schema: probedAnswer },
      problems: ["conflict"],
      handle: async (request) => {
        const { webhookId } = request.params;
        const due = await retries.probe(actorOf(request), webhookId);
        return { status: 202, body: { webhook: webhookId, due: toTimestamp(due) } };
      },
    }),
  ];
}

function presentRetried({ id, health }: ExpeditedRetry, now: Date) {
  return {
    id,
    webhook: health.subscriptionId,
    due: toTimestamp(now),
    throttled_until:
      health.throttledUntil !== null && health.throttledUntil > now
        ? toTimestampOrNull(health.throttledUntil)
        : null,
    probed: health.probeAt !== null,
  };
}
