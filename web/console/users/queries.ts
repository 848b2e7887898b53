import { queryOptions } from "@tanstack/react-query";
import { roles, type Role } from "../../../src/contracts/permissions.ts";
import { api, call } from "../../base/api.ts";
import type { components } from "../../base/api-types.ts";
import { pageQuery } from "../../base/paging.ts";

export type User = components["schemas"]["User"];

export type UserGroup = components["schemas"]["UserGroup"];

export type UsersSearch = Readonly<{
  q?: string;
  role?: string;
  /** The id of a group. */
  group?: string;
  /** `yes` or `no`. */
  active?: string;
  page?: string;
  /** The open panel: a user id, `new`, or `roles`. */
  open?: string;
}>;

/** Clears all filters. */
export const unfiltered = { q: "", role: "", group: "", active: "" };

const filters = Object.keys(unfiltered) as (keyof typeof unfiltered)[];

const groupsPath = "/api/enterprises/{enterpriseId}/user-groups" as const;

/** Key prefix of all queries that contain users. */
export const usersKey = ["users"] as const;

/** The filters without the other parameters. */
export function filtersOf(search: UsersSearch): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(filters.map((name) => [name, search[name]]));
}

export function isFiltered(search: UsersSearch): boolean {
  return filters.some((name) => search[name] !== undefined);
}

export function usersQuery({ q, role, group, active, page }: UsersSearch) {
  return queryOptions({
    queryKey: ["users", "list", { q, role, group, active, page }],
    queryFn: () => {
      const known = roleOf(role);
      return call(
        api.GET("/api/users", {
          params: {
            query: {
              ...pageQuery(page),
              ...(q === undefined ? {} : { search: q }),
              ...(known === undefined ? {} : { role: known }),
              ...(group === undefined ? {} : { group }),
              ...(active === undefined ? {} : { isActive: active === "yes" }),
            },
          },
        }),
      );
    },
    placeholderData: (before) => before,
  });
}

export function roleOf(value: string | undefined): Role | undefined {
  return roles.find((role) => role === value);
}

export function userQuery(userId: number) {
  return queryOptions({
    queryKey: ["users", "one", userId],
    queryFn: () => call(api.GET("/api/users/{userId}", { params: { path: { userId } } })),
  });
}

/** A page of groups with their members, by name. */
export function groupsPageQuery(enterpriseId: number, page?: string) {
  return queryOptions({
    queryKey: ["users", "groups", enterpriseId, "page", page],
    queryFn: () => {
      const query = pageQuery(page);
      return call(api.GET(groupsPath, { params: { path: { enterpriseId }, query } }));
    },
  });
}

const mostGroups = 100;

/** All groups, for a select. */
export function groupsQuery(enterpriseId: number) {
  return queryOptions({
    queryKey: ["users", "groups", enterpriseId, "all"],
    queryFn: async () => {
      const found: UserGroup[] = [];
      for (;;) {
        const query = { limit: mostGroups, offset: found.length };
        const page = await call(api.GET(groupsPath, { params: { path: { enterpriseId }, query } }));
        found.push(...page.data);
        if (page.data.length === 0 || found.length >= page.total) {
          return found;
        }
      }
    },
  });
}
