/** What the pages about deliveries ask the API. Every key begins with the name of the area. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { isUnderWay } from "./model.ts";

export const webhooksQuery = queryOptions({
  queryKey: ["deliveries", "webhooks"],
  queryFn: () => call(api.GET("/api/webhooks")),
  staleTime: 30_000,
});

/** The objects and types that events can be of, with what each means. */
export const eventTypesQuery = queryOptions({
  queryKey: ["deliveries", "event-types"],
  queryFn: () => call(api.GET("/api/webhooks/event-types")),
  staleTime: Infinity,
});

/** A delivery with its body and attempts; asked again while it may change by itself. */
export function deliveryQuery(deliveryId: number) {
  return queryOptions({
    queryKey: ["deliveries", "one", deliveryId],
    queryFn: () =>
      call(api.GET("/api/webhooks/deliveries/{deliveryId}", { params: { path: { deliveryId } } })),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isUnderWay(data.status) ? 2_000 : false,
  });
}
