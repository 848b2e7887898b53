/**
 * Queries of the ticket pages. Every key starts with `tickets`; those of one ticket continue with
 * its id.
 */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import type { operations } from "../../base/api-types.ts";
import { retryBusy } from "../../base/retry.ts";

export const servicesQuery = queryOptions({
  queryKey: ["tickets", "services"],
  queryFn: async () =>
    (await call(api.GET("/api/services", { params: { query: { kind: "ticket", limit: 100 } } })))
      .data,
  staleTime: 300_000,
});

type ListQuery = NonNullable<operations["api.v3.tickets.list"]["parameters"]["query"]>;

export function listQuery(query: ListQuery) {
  return queryOptions({
    queryKey: ["tickets", "list", query],
    queryFn: () => call(api.GET("/api/tickets", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
    ...retryBusy,
  });
}

export function ticketQuery(ticketId: number) {
  return queryOptions({
    queryKey: ["tickets", ticketId, "ticket"],
    queryFn: () => call(api.GET("/api/tickets/{ticketId}", { params: { path: { ticketId } } })),
    refetchInterval: 15_000,
  });
}

/** Active agents whose name, login or address contains the text. */
export function agentsQuery(search: string) {
  return queryOptions({
    queryKey: ["tickets", "agents", search],
    queryFn: async () => {
      const query = search === "" ? { limit: 100 } : { limit: 100, search };
      const { data } = await call(api.GET("/api/users", { params: { query } }));
      return data.filter(({ isAgent, isActive }) => isAgent && isActive);
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
