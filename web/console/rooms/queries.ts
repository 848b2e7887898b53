import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { pageQuery } from "../../base/paging.ts";
import { asProblem } from "../../base/problem.ts";
import { retryBusy } from "../../base/retry.ts";

export const pageSize = 25;

/** Pages report their quality every few seconds. */
const everyMs = 5_000;

/** Interval after a 429. */
const patientMs = 20_000;

/** The rooms with a running session, newest first. */
export function roomsQuery(page: string | undefined) {
  return queryOptions({
    queryKey: ["rooms", "live", page ?? "1"],
    queryFn: () => call(api.GET("/api/rooms", { params: { query: pageQuery(page, pageSize) } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (asProblem(state.error).status === 429 ? patientMs : everyMs),
    ...retryBusy,
  });
}
