/** The query of the list → what is searched and how it is sorted. Pure. */
import { parseBound } from "../http/values.ts";
import { wordsIn } from "../http/fields/words.ts";
import type { ConferenceStatus } from "./model.ts";
import type { ListConferencesQuery, Ordering } from "./schema.ts";

export type ConferenceFilter = Readonly<{
  since: Date | undefined;
  search: string | undefined;
  statuses: readonly ConferenceStatus[] | undefined;
}>;

export type ConferenceSort = Readonly<{ orderby: Ordering; order: "asc" | "desc" }>;

export function parseConferenceFilter(query: ListConferencesQuery): ConferenceFilter {
  return {
    since: parseBound("since", query.since),
    search: query.search?.trim() === "" ? undefined : query.search,
    statuses: statusesOf(query.status),
  };
}

/** The schema knows the words. */
function statusesOf(text: string | undefined): readonly ConferenceStatus[] | undefined {
  const words = wordsIn(text ?? "");
  return words.length === 0 ? undefined : (words as ConferenceStatus[]);
}

export function parseConferenceSort(query: ListConferencesQuery): ConferenceSort {
  return {
    orderby: query.orderby ?? "date",
    order: query.order ?? "desc",
  };
}
