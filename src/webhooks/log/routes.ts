import { invalidParameter } from "../../contracts/problems.ts";
import { pageHeaders, parsePage } from "../../http/paging.ts";
import { ok, route, type Route } from "../../http/route.ts";
import { parseBound } from "../../http/values.ts";
import { webhookParams, type WebhookParams } from "../schema.ts";
import { deliveryAnswer, deliveryListAnswer } from "./answers.ts";
import { presentDelivery, presentDeliveryInFull } from "./present.ts";
import {
  deliveryParams,
  listDeliveriesSchema,
  type DeliveryParams,
  type ListDeliveriesQuery,
} from "./schema.ts";
import type { DeliveryLog } from "./service.ts";
import { deliveryStates, type DeliveryFilter, type DeliveryState } from "./store.ts";

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

const parseStates = (text: string | undefined): DeliveryState[] =>
  (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .map((word) => {
      const state = deliveryStates.find((known) => known === word);
      if (state === undefined) {
        throw invalidParameter("status", "enum");
      }
      return state;
    });

const parseFilterQuery = (query: ListDeliveriesQuery): DeliveryFilter => ({
  states: parseStates(query.status),
  object: query.object,
  since: parseBound("since", query.since),
  ...parsePage(query, { defaultLimit: 10, maxLimit: 100 }),
});

/** The operations of the delivery log. */
export const deliveryLogRoutes = (log: DeliveryLog): Route[] => [
  route<WebhookParams, ListDeliveriesQuery>({
    ...reading,
    method: "GET",
    path: "/webhooks/{webhookId}/deliveries",
    operationId: "listWebhookDeliveries",
    summary: "Deliveries of a webhook, newest first",
    params: webhookParams,
    query: listDeliveriesSchema,
    answer: { status: 200, schema: deliveryListAnswer },
    handle: async ({ caller, params, query, url }) => {
      const filter = parseFilterQuery(query);
      const { total, deliveries } = await log.list(caller, params.webhookId, filter);
      const body = { total, data: deliveries.map(presentDelivery) };
      return ok(body, pageHeaders(url, filter, total));
    },
  }),
  route<DeliveryParams>({
    ...reading,
    method: "GET",
    path: "/webhooks/{webhookId}/deliveries/{deliveryId}",
    operationId: "getWebhookDelivery",
    summary: "A delivery with its body and its attempts",
    params: deliveryParams,
    answer: { status: 200, schema: deliveryAnswer },
    handle: async ({ caller, params }) => {
      const { delivery, attempts } = await log.get(caller, params.webhookId, params.deliveryId);
      return ok(presentDeliveryInFull(delivery, attempts));
    },
  }),
];
