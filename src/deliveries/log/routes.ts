import { pageHeaders } from "../../http/paging.ts";
import { ok, route, type Route } from "../../http/route.ts";
import { webhookParams, type WebhookParams } from "../../http/schema.ts";
import {
  deliveryAnswer,
  deliveryExportAnswer,
  deliveryListAnswer,
  deliverySearchAnswer,
  presentDeliveryDetails,
  presentPage,
  maxExported,
  renderExport,
} from "./present.ts";
import { decodeCursor, encodeCursor } from "./search.ts";
import {
  parseFilter,
  parsePageRange,
  searchOf,
  largestOffset,
  listRule,
  searchRule,
  deliveryParams,
  exportDeliveriesSchema,
  listDeliveriesSchema,
  searchDeliveriesSchema,
  webhookDeliveryParams,
  type DeliveryParams,
  type ExportDeliveriesQuery,
  type ListDeliveriesQuery,
  type SearchDeliveriesQuery,
} from "./query.ts";
import type { DeliveryLog, PageRange } from "./service.ts";

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

/**
 * The operations of the delivery log. Registered before `/webhooks/{webhookId}`, which would match
 * `/webhooks/deliveries`.
 */
export function deliveryLogRoutes(log: DeliveryLog): Route[] {
  return [
    ...searchRoutes(log),
    route<WebhookParams, ListDeliveriesQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/deliveries",
      operationId: "listWebhookDeliveries",
      summary: "List the deliveries of a webhook, newest first",
      params: webhookParams,
      query: listDeliveriesSchema,
      answer: { status: 200, schema: deliveryListAnswer },
      handle: async ({ caller, params, query, url }) => {
        const { webhookId: subscriptionId } = params;
        const filter = parseFilter(query);
        const fingerprint = searchOf({ enterpriseId: caller.enterpriseId, subscriptionId }, filter);
        const part = parsePageRange(query, fingerprint, listRule);
        const page = await log.list(caller, subscriptionId, { filter, part });
        const { total, isExact } = page;
        const body = { total, total_exact: isExact, ...presentPage(page, fingerprint) };
        return ok(body, headersOf(url, part, total));
      },
    }),
    route<WebhookParams & DeliveryParams>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/deliveries/{deliveryId}",
      operationId: "getWebhookDelivery",
      summary: "Read a delivery with its body and attempts",
      params: webhookDeliveryParams,
      answer: { status: 200, schema: deliveryAnswer },
      handle: async ({ caller, params }) =>
        ok(presentDeliveryDetails(await log.get(caller, params.deliveryId, params.webhookId))),
    }),
  ];
}

function searchRoutes(log: DeliveryLog): Route[] {
  return [
    route<unknown, SearchDeliveriesQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/deliveries",
      operationId: "searchWebhookDeliveries",
      summary: "List the deliveries of all webhooks, newest first",
      query: searchDeliveriesSchema,
      answer: { status: 200, schema: deliverySearchAnswer },
      handle: async ({ caller, query }) => {
        const filter = parseFilter(query);
        const fingerprint = searchOf({ enterpriseId: caller.enterpriseId }, filter);
        const part = parsePageRange(query, fingerprint, searchRule);
        return ok(presentPage(await log.search(caller, filter, part), fingerprint));
      },
    }),
    exportRoute(log),
    route<DeliveryParams>({
      ...reading,
      method: "GET",
      path: "/webhooks/deliveries/{deliveryId}",
      operationId: "getDelivery",
      summary: "Read a delivery of any webhook with its body and attempts",
      params: deliveryParams,
      answer: { status: 200, schema: deliveryAnswer },
      handle: async ({ caller, params }) =>
        ok(presentDeliveryDetails(await log.get(caller, params.deliveryId))),
    }),
  ];
}

function exportRoute(log: DeliveryLog): Route {
  return route<unknown, ExportDeliveriesQuery>({
    ...reading,
    method: "GET",
    path: "/webhooks/deliveries/export",
    operationId: "exportWebhookDeliveries",
    summary: "Export the results of a log search as CSV or JSON",
    query: exportDeliveriesSchema,
    answer: { status: 200, schema: deliveryExportAnswer, produces: ["text/csv"] },
    handle: async ({ caller, query }) => {
      const { format = "json", cursor } = query;
      const filter = parseFilter(query);
      const fingerprint = searchOf({ enterpriseId: caller.enterpriseId }, filter);
      const before = cursor === undefined ? undefined : decodeCursor(cursor, fingerprint);
      const found = await log.readAll(caller, filter, { before, most: maxExported });
      const next = found.next === undefined ? null : encodeCursor(found.next, fingerprint);
      const data = renderExport(format, found.batches, { complete: next === null, next });
      const type = format === "csv" ? "text/csv; charset=utf-8" : "application/json";
      return { status: 200, content: { type, data }, headers: exportHeaders(format, next) };
    },
  });
}

function exportHeaders(format: string, next: string | null): Record<string, string> {
  return {
    "Content-Disposition": `attachment; filename="webhook-deliveries.${format}"`,
    ...(next === null ? {} : { "X-Next-Cursor": next }),
  };
}

/** Links never point beyond the largest offset, which would be refused. */
function headersOf(
  url: string,
  { limit, offset }: PageRange,
  total: number,
): Record<string, string> {
  const reachable = Math.min(total, largestOffset + limit);
  return {
    ...pageHeaders(url, { limit, offset }, reachable),
    "X-Total-Count": String(total),
  };
}
