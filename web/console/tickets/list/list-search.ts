/** The URL parameters of the ticket list. Pure. */
import { pageQuery } from "../../../base/paging.ts";

const sorts = ["newest", "oldest", "changed", "planned"] as const;

export type Sort = (typeof sorts)[number];

export type ListSearch = {
  /** States, separated by commas. */
  state?: string;
  agent?: string;
  service?: string;
  q?: string;
  /** Days, `2026-11-22`; both included. */
  since?: string;
  until?: string;
  sort?: Sort;
  /** From 1. */
  page?: string;
  /** The ticket in the detail pane. */
  open?: string;
};

export const sortNames = sorts;

/** Clears all filters. */
export const unfiltered = { state: "", agent: "", service: "", q: "", since: "", until: "" };

const filters = Object.keys(unfiltered) as (keyof typeof unfiltered)[];

const texts = ["state", "agent", "service", "q", "page", "open"] as const;

const days = ["since", "until"] as const;

export function validateListSearch(input: Record<string, unknown>): ListSearch {
  const search: ListSearch = {};
  for (const name of texts) {
    const text = textOf(input[name]);
    if (text !== "") {
      search[name] = text;
    }
  }
  for (const name of days) {
    const text = textOf(input[name]);
    if (isDay(text)) {
      search[name] = text;
    }
  }
  const sort = sorts.find((known) => known === input["sort"]);
  return sort === undefined ? search : { ...search, sort };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`));
}

const orderings = {
  newest: { orderby: "date", order: "desc" },
  oldest: { orderby: "date", order: "asc" },
  changed: { orderby: "modified", order: "desc" },
  planned: { orderby: "start_time", order: "asc" },
} as const satisfies Record<Sort, object>;

/** The API's query parameters. */
export function toQuery(search: ListSearch) {
  return {
    ...pageQuery(search.page),
    ...orderings[search.sort ?? "newest"],
    ...(search.state === undefined ? {} : { state: search.state }),
    ...(search.agent === undefined ? {} : { agent: search.agent }),
    ...(search.service === undefined ? {} : { service_key: search.service }),
    ...(search.q === undefined ? {} : { search: search.q }),
    ...(search.since === undefined ? {} : { since: startOfDay(search.since).toISOString() }),
    ...(search.until === undefined ? {} : { until: startOfDay(search.until, 1).toISOString() }),
  };
}

/** The start of a day, or of a later day, in the reader's time zone. */
function startOfDay(day: string, daysLater = 0): Date {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + daysLater);
  return at;
}

export function isFiltered(search: ListSearch): boolean {
  return filters.some((name) => search[name] !== undefined);
}

/** The filters without the other parameters. */
export function filtersOf(search: ListSearch): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(filters.map((name) => [name, search[name]]));
}
