/** Queries of the delivery pages. Every key starts with the name of the area. */
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { isUnderWay } from "./model.ts";

export const webhooksQuery = queryOptions({
  queryKey: ["deliveries", "webhooks"],
  queryFn: () => call(api.GET("/api/webhooks")),
  staleTime: 30_000,
});

/** Objects and event types with their descriptions. */
export const eventTypesQuery = queryOptions({
  queryKey: ["deliveries", "event-types"],
  queryFn: () => call(api.GET("/api/webhooks/event-types")),
  staleTime: Infinity,
});

/** A delivery with its body and attempts; polls while it may change. */
export function deliveryQuery(deliveryId: number) {
  return queryOptions({
    queryKey: ["deliveries", "one", deliveryId],
    queryFn: () =>
      call(api.GET("/api/webhooks/deliveries/{deliveryId}", { params: { path: { deliveryId } } })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isUnderWay(data.status) ? 2_000 : false,
  });
}

/**
 * Invalidates all delivery queries but the pages of the log, which refreshes the page on screen:
 * after scrolling, they would be refetched one after the other.
 */
export function refreshDeliveries(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({
    queryKey: ["deliveries"],
    predicate: ({ queryKey }) => queryKey[1] !== "log",
  });
}
