/** Queries of the statistics, with their stale times. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import { everyServiceQuery } from "../services/queries.ts";
import { addDays, startOfDay } from "./days.ts";
import type { Period } from "./period.ts";
import type { SessionRow } from "./session-figures.ts";
import { firstWindow, nextWindow, type Window } from "./session-windows.ts";

const minute = 60_000;

export type SessionsOf = Readonly<{
  enterpriseId: number;
  type: "conference" | "ticket";
  serviceKey: string | undefined;
  period: Period;
  timeZone: string;
}>;

export const servicesQuery = queryOptions({ ...everyServiceQuery, staleTime: 5 * minute });

export function ticketSummaryQuery(enterpriseId: number, { since, until }: Period) {
  return queryOptions({
    queryKey: ["statistics", "tickets", enterpriseId, since, until],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/tickets-stats/summary", {
          params: { path: { enterpriseId }, query: { since, until } },
        }),
      ),
    staleTime: 15_000,
    placeholderData: keepPreviousData,
  });
}

type Day = Readonly<{ enterpriseId: number; day: string; today: string }>;

/** The exported rows of one day, paginated. */
export function dayRowsQuery({ enterpriseId, day, today }: Day) {
  return infiniteQueryOptions({
    queryKey: ["statistics", "rows", enterpriseId, day],
    queryFn: ({ pageParam: after }) =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/tickets-stats/rows", {
          params: { path: { enterpriseId }, query: { since: day, until: day, after } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    staleTime: freshness(day, today),
  });
}

/** Past days rarely change: by a late session, or a ticket that is closed. */
function freshness(day: string, today: string): number {
  return day < today ? 5 * minute : 15_000;
}

export function sessionSummaryQuery(of: SessionsOf) {
  return queryOptions({
    queryKey: ["statistics", "session summary", of],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/sessions-stats/summary", {
          params: {
            path: { enterpriseId: of.enterpriseId },
            query: { ...of.period, type: of.type, ...ofService(of) },
          },
        }),
      ),
    staleTime: 30_000,
  });
}

/** Sessions, newest first, paginated within windows of the API's maximum length. */
export function sessionsQuery(of: SessionsOf) {
  return infiniteQueryOptions({
    queryKey: ["statistics", "sessions", of],
    queryFn: ({ pageParam }) => readSessions(of, pageParam),
    initialPageParam: firstWindow(of.period),
    getNextPageParam: ({ window, data, total }) =>
      nextWindow(window, { period: of.period, found: data.length, total }),
    staleTime: 30_000,
  });
}

const pageSize = 25;

type SessionPage = Readonly<{
  data: readonly SessionRow[];
  total: number;
  /** Where it was found: windows without sessions are skipped. */
  window: Window;
}>;

async function readSessions(of: SessionsOf, window: Window): Promise<SessionPage> {
  const { since, until, offset } = window;
  const query = {
    type: of.type,
    since: startOfDay(since, of.timeZone).toISOString(),
    until: startOfDay(addDays(until, 1), of.timeZone).toISOString(),
    ...{ order: "desc" as const, limit: pageSize, offset },
    ...ofService(of),
  };
  const { data, total } = await call(api.GET("/api/sessions", { params: { query } }));
  const next =
    data.length === 0 ? nextWindow(window, { period: of.period, found: 0, total }) : undefined;
  return next === undefined ? { data, total, window } : readSessions(of, next);
}

function ofService({ serviceKey }: SessionsOf) {
  return serviceKey === undefined ? {} : { service_key: serviceKey };
}

export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ["statistics", "session", sessionId],
    queryFn: () => call(api.GET("/api/sessions/{sessionId}", { params: { path: { sessionId } } })),
    staleTime: 5 * minute,
  });
}

export function quotaQuery(enterpriseId: number) {
  return queryOptions({
    queryKey: ["statistics", "quota", enterpriseId],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/quota", { params: { path: { enterpriseId } } }),
      ),
    staleTime: 15_000,
  });
}

export function enterpriseUseQuery(enterpriseId: number, period: Period, timeZone: string) {
  return queryOptions({
    queryKey: ["statistics", "use", enterpriseId, period, timeZone],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/statistics", {
          params: {
            path: { enterpriseId },
            query: {
              since: startOfDay(period.since, timeZone).toISOString(),
              until: startOfDay(addDays(period.until, 1), timeZone).toISOString(),
            },
          },
        }),
      ),
    staleTime: 15_000,
  });
}
