/** What the statistics ask the service, and how long an answer is good for. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../base/api.ts";
import type { components } from "../../base/api-types.ts";
import { addDays, countDays, startOfDay } from "./days.ts";
import type { Period } from "./period.ts";
import { figuresOfRows, type TicketFigures, type TicketRow } from "./ticket-figures.ts";

export type SessionRow = components["schemas"]["SessionStatistic"];

const minute = 60_000;

/** Days that are over change seldom: a late session, a ticket that is closed. */
const freshness = (day: string, today: string): number => (day < today ? 5 * minute : 15_000);

type Day = Readonly<{ enterpriseId: number; day: string; today: string }>;

const readDay = async ({ enterpriseId, day }: Day, labels?: "code"): Promise<TicketRow[]> => {
  const query = { since: day, until: day, ...(labels === undefined ? {} : { labels }) };
  const params = { path: { enterpriseId }, query };
  return (await call(
    api.GET("/api/enterprises/{enterpriseId}/tickets-stats", { params }),
  )) as TicketRow[];
};

/** What the tickets of one day come to. Their rows are not kept: a busy month has many. */
export const dayFiguresQuery = (of: Day) =>
  queryOptions<TicketFigures>({
    queryKey: ["statistics", "figures", of.enterpriseId, of.day],
    queryFn: async () => figuresOfRows(await readDay(of, "code")),
    staleTime: freshness(of.day, of.today),
  });

/** The rows of one day, as they are exported. */
export const dayRowsQuery = (of: Day) =>
  queryOptions<TicketRow[]>({
    queryKey: ["statistics", "rows", of.enterpriseId, of.day],
    queryFn: () => readDay(of),
    staleTime: freshness(of.day, of.today),
  });

/** The export of a period as the service writes it. */
export const fetchTicketsCsv = async (
  enterpriseId: number,
  { since, until }: Period,
): Promise<Blob> =>
  call(
    api.GET("/api/enterprises/{enterpriseId}/tickets-stats", {
      params: { path: { enterpriseId }, query: { since, until, format: "CSV" } },
      parseAs: "blob",
    }),
  );

export type SessionsOf = Readonly<{
  type: "conference" | "ticket";
  serviceKey: string | undefined;
  period: Period;
  timeZone: string;
}>;

const pageSize = 1_000;
/** One less than the service takes: a day in which clocks change is longer. */
const windowDays = 30;

const readWindow = async ({ type, serviceKey, period, timeZone }: SessionsOf) => {
  const query = {
    type,
    since: startOfDay(period.since, timeZone).toISOString(),
    until: startOfDay(addDays(period.until, 1), timeZone).toISOString(),
    order: "asc" as const,
    limit: pageSize,
    ...(serviceKey === undefined ? {} : { service_key: serviceKey }),
  };
  const rows: SessionRow[] = [];
  for (let total = 1; rows.length < total;) {
    const page = await call(
      api.GET("/api/sessions", { params: { query: { ...query, offset: rows.length } } }),
    );
    rows.push(...page.data);
    total = page.data.length === 0 ? 0 : page.total;
  }
  return rows;
};

/** All sessions that ended in a period, in parts that the service gives at once. Oldest first. */
const readSessions = async (of: SessionsOf): Promise<SessionRow[]> => {
  const { since, until } = of.period;
  const rows: SessionRow[] = [];
  for (let at = 0; at < countDays(since, until); at += windowDays) {
    const first = addDays(since, at);
    const last = addDays(first, windowDays - 1);
    const period = { since: first, until: last < until ? last : until };
    rows.push(...(await readWindow({ ...of, period })));
  }
  return rows;
};

export const sessionsQuery = (of: SessionsOf) =>
  queryOptions<SessionRow[]>({
    queryKey: ["statistics", "sessions", of],
    queryFn: () => readSessions(of),
    staleTime: 30_000,
  });

export const sessionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ["statistics", "session", sessionId],
    queryFn: () => call(api.GET("/api/sessions/{sessionId}", { params: { path: { sessionId } } })),
    staleTime: 5 * minute,
  });

export const quotaQuery = (enterpriseId: number) =>
  queryOptions({
    queryKey: ["statistics", "quota", enterpriseId],
    queryFn: () =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/quota", { params: { path: { enterpriseId } } }),
      ),
    staleTime: 15_000,
  });

export const enterpriseUseQuery = (enterpriseId: number, period: Period, timeZone: string) =>
  queryOptions({
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

export const servicesQuery = queryOptions({
  queryKey: ["statistics", "services"],
  queryFn: () => call(api.GET("/api/services", { params: { query: { limit: 100 } } })),
  staleTime: 5 * minute,
});
