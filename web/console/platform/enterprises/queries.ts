import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../../base/api.ts";
import type { components } from "../../../base/api-types.ts";
import { pageQuery } from "../../../base/paging.ts";

export type Enterprise = components["schemas"]["Enterprise"];

export type EnterprisesSearch = Readonly<{
  q?: string;
  page?: string;
  /** Id of the enterprise in the detail pane; `new` for a new one. */
  open?: string;
}>;

export const enterprisesKey = ["platform", "enterprises"] as const;

export function enterprisesQuery({ q, page }: EnterprisesSearch) {
  return queryOptions({
    queryKey: [...enterprisesKey, "list", { q, page }],
    queryFn: () =>
      call(
        api.GET("/api/enterprises", {
          params: {
            query: {
              ...pageQuery(page),
              ...(q === undefined ? {} : { search: q }),
            },
          },
        }),
      ),
    placeholderData: (before) => before,
  });
}

export function enterpriseQuery(enterpriseId: number) {
  return queryOptions({
    queryKey: [...enterprisesKey, "one", enterpriseId],
    queryFn: () =>
      call(api.GET("/api/enterprises/{enterpriseId}", { params: { path: { enterpriseId } } })),
  });
}

const mostChoices = 20;

/** Enterprises whose name contains the text, for a select. */
export function choicesQuery(text: string) {
  return queryOptions({
    queryKey: [...enterprisesKey, "choices", text],
    queryFn: () => {
      const query = { limit: mostChoices, ...(text === "" ? {} : { search: text }) };
      return call(api.GET("/api/enterprises", { params: { query } }));
    },
    placeholderData: (before) => before,
  });
}
