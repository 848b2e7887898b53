/**
 * Queries of the ticket pages. Every key starts with `tickets`; those of one ticket continue with
 * its id.
 */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { allPages } from "../../base/all-pages.ts";
import { api, call } from "../../base/api.ts";
import type { operations } from "../../base/api-types.ts";
import { retryBusy } from "../../base/retry.ts";
import { everyServiceQuery } from "../services/queries.ts";

/** The services for tickets. */
export const servicesQuery = queryOptions({
  ...everyServiceQuery,
  select: (services) => services.filter(({ kind }) => kind === "ticket"),
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

type User = Readonly<{ isAgent: boolean; isActive: boolean }>;

const isActiveAgent = ({ isAgent, isActive }: User): boolean => isAgent && isActive;

/** More than a list of choices shows. */
const mostFound = 60;

/** Active agents whose name, login or address contains the text: of many, the first. */
export function agentsQuery(search: string) {
  return queryOptions({
    queryKey: ["tickets", "agents", search],
    queryFn: async ({ signal }) => {
      // The API cannot filter by agent: its first page may have none.
      const ask = (page: { limit: number; offset: number }) => {
        const query = { ...page, isActive: true, ...(search === "" ? {} : { search }) };
        return call(api.GET("/api/users", { params: { query }, signal }));
      };
      const isEnough = (users: readonly User[]): boolean =>
        search !== "" && users.filter(isActiveAgent).length >= mostFound;
      return (await allPages(ask, { isEnough })).filter(isActiveAgent);
    },
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
}
