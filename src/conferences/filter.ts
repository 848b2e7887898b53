/** The query of the list → what is searched and how it is sorted. Pure. */
import { parseBound } from "../http/values.ts";
import { invalidParameter } from "../contracts/problems.ts";
import { conferenceStatuses, type ConferenceStatus } from "./model.ts";
import type { ListConferencesQuery, Ordering } from "./schema.ts";

export type ConferenceFilter = Readonly<{
  since: Date | undefined;
  search: string | undefined;
  statuses: readonly ConferenceStatus[] | undefined;
}>;

export type ConferenceSort = Readonly<{ orderby: Ordering; order: "asc" | "desc" }>;

const isStatus = (word: string): word is ConferenceStatus =>
  (conferenceStatuses as readonly string[]).includes(word);

const statusesOf = (text: string | undefined): readonly ConferenceStatus[] | undefined => {
  const words = text?.split(",").map((word) => word.trim());
  if (words !== undefined && !words.every(isStatus)) {
    throw invalidParameter("status", "unknown");
  }
  return words;
};

export const parseConferenceFilter = (query: ListConferencesQuery): ConferenceFilter => ({
  since: parseBound("since", query.since),
  search: query.search?.trim() === "" ? undefined : query.search,
  statuses: statusesOf(query.status),
});

export const parseConferenceSort = (query: ListConferencesQuery): ConferenceSort => ({
  orderby: query.orderby ?? "date",
  order: query.order ?? "desc",
});
