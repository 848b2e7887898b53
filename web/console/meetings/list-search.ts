/** The URL parameters of the meeting list. Pure. */
import { pageQuery } from "../../base/paging.ts";
import { conferenceStatuses } from "../../../src/contracts/conferences.ts";
import type { MeetingStatus } from "./types.ts";

export const sorts = ["start", "start_asc", "created", "modified"] as const;

export const ages = ["week", "month", "quarter"] as const;

export type MeetingSearch = Readonly<{
  q?: string | undefined;
  /** One or more, separated by commas. */
  status?: string | undefined;
  /** Maximum age. */
  created?: (typeof ages)[number] | undefined;
  sort?: (typeof sorts)[number] | undefined;
  /** From 1. */
  page?: string | undefined;
}>;

export const pageSize = 25;

/** Clears all filters. */
export const unfiltered = { q: "", status: "", created: "" };

const filters = Object.keys(unfiltered) as (keyof typeof unfiltered)[];

export function meetingSearch(input: Record<string, unknown>): MeetingSearch {
  const status = statusesOf(textOf(input["status"])).join(",");
  const search: MeetingSearch = {
    q: textOf(input["q"])?.slice(0, 255),
    status: status === "" ? undefined : status,
    created: ages.find((age) => age === input["created"]),
    sort: sorts.find((sort) => sort === input["sort"]),
    page: textOf(input["page"]),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

/** The valid statuses of a comma-separated list. */
export function statusesOf(status: string | undefined): MeetingStatus[] {
  const named = (status ?? "").split(",");
  return conferenceStatuses.filter((one) => named.includes(one));
}

function textOf(input: unknown): string | undefined {
  return typeof input === "string" && input.trim() !== "" ? input : undefined;
}

/** The filters without the other parameters. */
export function filtersOf(search: MeetingSearch): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(filters.map((name) => [name, search[name]]));
}

export function isNarrowed(search: MeetingSearch): boolean {
  return filters.some((name) => search[name] !== undefined);
}

const daysOf = { week: 7, month: 30, quarter: 90 };

const orders = {
  start: { orderby: "start_time", order: "desc" },
  start_asc: { orderby: "start_time", order: "asc" },
  created: { orderby: "date", order: "desc" },
  modified: { orderby: "modified", order: "desc" },
} as const;

/** The API's query parameters. */
export function queryOf(search: MeetingSearch, now: Date) {
  return {
    ...orders[search.sort ?? "start"],
    ...pageQuery(search.page, pageSize),
    ...(search.q === undefined ? {} : { search: search.q.trim() }),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.created === undefined
      ? {}
      : {
          // Rounded to minutes, for a stable query key.
          since: new Date(
            Math.floor(now.getTime() / 60_000) * 60_000 - daysOf[search.created] * 86_400_000,
          ).toISOString(),
        }),
  };
}
