import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { allPages } from "../../base/all-pages.ts";
import { api, call } from "../../base/api.ts";
import type { components } from "../../base/api-types.ts";
import { pageQuery } from "../../base/paging.ts";

export type Service = components["schemas"]["Service"];

export type EntryPoint = components["schemas"]["Button"];

export type Survey = components["schemas"]["Survey"];

export type ServicesSearch = Readonly<{ q?: string; kind?: string; page?: string }>;

export const kinds = ["ticket", "conference"] as const;

/** All services, for a select. */
export const everyServiceQuery = queryOptions({
  queryKey: ["services", "all"],
  queryFn: (): Promise<readonly Service[]> =>
    allPages((page) => {
      const query = { ...page, orderby: "id", order: "asc" } as const;
      return call(api.GET("/api/services", { params: { query } }));
    }),
});

export function servicesQuery({ q, kind, page }: ServicesSearch) {
  return queryOptions({
    queryKey: ["services", "list", { q, kind, page }],
    queryFn: () => {
      const known = kindOf(kind);
      return call(
        api.GET("/api/services", {
          params: {
            query: {
              ...pageQuery(page),
              orderby: "id",
              order: "asc",
              ...(q === undefined ? {} : { search: q }),
              ...(known === undefined ? {} : { kind: known }),
            },
          },
        }),
      );
    },
    placeholderData: (before) => before,
  });
}

export function kindOf(value: string | undefined): Service["kind"] | undefined {
  return kinds.find((kind) => kind === value);
}

export function serviceQuery(serviceId: number) {
  return queryOptions({
    queryKey: ["services", "one", serviceId],
    queryFn: () => call(api.GET("/api/services/{serviceId}", { params: { path: { serviceId } } })),
  });
}

export function entryPointsQuery(serviceId: number) {
  return queryOptions({
    queryKey: ["services", "entry-points", serviceId],
    queryFn: () =>
      call(api.GET("/api/services/{serviceId}/buttons", { params: { path: { serviceId } } })),
  });
}

export function surveyQuery(serviceId: number) {
  return queryOptions({
    queryKey: ["services", "survey", serviceId],
    queryFn: () =>
      call(api.GET("/api/services/{serviceId}/survey", { params: { path: { serviceId } } })),
  });
}

/** Invalidates all service queries. */
export function refreshServices(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ["services"] });
}
