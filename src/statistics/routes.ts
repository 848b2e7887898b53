import type { Readable } from "node:stream";
import { isAdministratorRole } from "../contracts/permissions.ts";
import { problem, missingParameter } from "../contracts/problems.ts";
import { idParams } from "../http/schema.ts";
import { ok, route, type Answer, type Caller, type Route, type ApiRequest } from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import {
  toExportFormat,
  type StatisticsFormat,
  type Statistics,
  type SessionsOrder,
  type SessionStatistics,
} from "./service.ts";
import type { DayPeriod } from "./row.ts";
import {
  presentTicketSummary,
  presentSessionSummary,
  daysQuery,
  ticketPageAnswer,
  ticketPageQuery,
  ticketRowsAnswer,
  ticketRowsQuery,
  ticketSummaryAnswer,
  type DaysQuery,
  type TicketPageQuery,
  type TicketRowsQuery,
  sessionRowsAnswer,
  sessionRowsQuery,
  sessionSummaryAnswer,
  sessionSummaryQuery,
  type SessionsQuery,
} from "./schema.ts";

export type StatisticsRoutesDeps = Readonly<{ statistics: Statistics }>;

/** Shared by all statistics of an enterprise. */
const enterpriseRoute = {
  permission: "stats.read",
  family: "solution",
  limit: "api",
  params: idParams("enterpriseId"),
} as const;

export type StatisticsSessionsDeps = Readonly<{ sessions: SessionStatistics }>;

export function statisticsRoutes(deps: StatisticsRoutesDeps): Route[] {
  return [exportRoute(deps), rowsRoute(deps), summaryRoute(deps)];
}

function exportRoute({ statistics }: StatisticsRoutesDeps): Route {
  return route<{ enterpriseId: number }, TicketRowsQuery>({
    ...enterpriseRoute,
    method: "GET",
    path: "/enterprises/{enterpriseId}/tickets-stats",
    operationId: "api.v3.enterprises.ticketsStats",
    summary: "Export one row per ticket created in a period, as JSON or CSV",
    query: ticketRowsQuery,
    answer: { status: 200, schema: ticketRowsAnswer, produces: ["text/csv"] },
    handle: async ({ caller, reach, params: { enterpriseId }, query }) => {
      requireEnterprise(caller, enterpriseId);
      const { format: wanted, labels, withTrashed, ...days } = query;
      const format = toExportFormat(wanted);
      if (withTrashed === "1" && !isAdministratorRole(caller.role)) {
        throw problem("forbidden", "Only administrators may list deleted tickets.");
      }
      const { period, data } = await statistics.tickets({
        ...days,
        scope: scopeOf({ caller, reach }),
        format,
        labels: labels === "code" ? "code" : "text",
        hasDeleted: withTrashed === "1",
      });
      return exported("tickets-stats", { data, period, format });
    },
  });
}

function rowsRoute({ statistics }: StatisticsRoutesDeps): Route {
  return route<{ enterpriseId: number }, TicketPageQuery>({
    ...enterpriseRoute,
    method: "GET",
    path: "/enterprises/{enterpriseId}/tickets-stats/rows",
    operationId: "api.v3.enterprises.ticketsStatsRows",
    summary: "List the same rows, page by page",
    query: ticketPageQuery,
    answer: { status: 200, schema: ticketPageAnswer },
    handle: async ({ caller, reach, params: { enterpriseId }, query }) => {
      requireEnterprise(caller, enterpriseId);
      const { labels, limit = 25, after, ...days } = query;
      const { rows, next } = await statistics.ticketRows({
        ...days,
        ...{ limit, after },
        scope: scopeOf({ caller, reach }),
        labels: labels === "code" ? "code" : "text",
      });
      return ok({ data: rows, next });
    },
  });
}

function summaryRoute({ statistics }: StatisticsRoutesDeps): Route {
  return route<{ enterpriseId: number }, DaysQuery>({
    ...enterpriseRoute,
    method: "GET",
    path: "/enterprises/{enterpriseId}/tickets-stats/summary",
    operationId: "api.v3.enterprises.ticketsStatsSummary",
    summary: "Read totals of the tickets of a period: overall, by day, by service and by agent",
    query: daysQuery,
    answer: { status: 200, schema: ticketSummaryAnswer },
    handle: async ({ caller, reach, params: { enterpriseId }, query }) => {
      requireEnterprise(caller, enterpriseId);
      const scope = scopeOf({ caller, reach });
      return ok(presentTicketSummary(await statistics.ticketSummary({ ...query, scope })));
    },
  });
}

/** The same access as the list of sessions. */
const sessionRouteDefaults = { ...enterpriseRoute, family: "platform" } as const;

export function sessionStatisticsRoutes({ sessions }: StatisticsSessionsDeps): Route[] {
  return [
    route<{ enterpriseId: number }, SessionsQuery & { format?: "JSON" | "CSV" }>({
      ...sessionRouteDefaults,
      method: "GET",
      path: "/enterprises/{enterpriseId}/sessions-stats",
      operationId: "api.v3.enterprises.sessionsStats",
      summary: "Export one row per session that ended in a period, as JSON or CSV",
      query: sessionRowsQuery,
      answer: { status: 200, schema: sessionRowsAnswer, produces: ["text/csv"] },
      handle: async (request) => {
        const format = toExportFormat(request.query.format);
        const { period, data } = await sessions.sessions({ ...orderOf(request), format });
        return exported("sessions", { data, period, format });
      },
    }),
    route<{ enterpriseId: number }, SessionsQuery>({
      ...sessionRouteDefaults,
      method: "GET",
      path: "/enterprises/{enterpriseId}/sessions-stats/summary",
      operationId: "api.v3.enterprises.sessionsStatsSummary",
      summary: "Read totals of the sessions of a period: overall, by day and by service",
      query: sessionSummaryQuery,
      answer: { status: 200, schema: sessionSummaryAnswer },
      handle: async (request) =>
        ok(presentSessionSummary(await sessions.sessionSummary(orderOf(request)))),
    }),
  ];
}

type SessionsRequest<Query> = ApiRequest<{ enterpriseId: number }, Query>;

/** Only administrators may read all services at once, as in the list of sessions. */
function orderOf(request: SessionsRequest<SessionsQuery>): SessionsOrder {
  const { caller, query, params } = request;
  requireEnterprise(caller, params.enterpriseId);
  const { type: kind = "conference", service_key: input, since, until } = query;
  const serviceKey = input === "" ? undefined : input;
  if (serviceKey === undefined && !isAdministratorRole(caller.role)) {
    throw missingParameter("service_key");
  }
  return {
    ...{ scope: scopeOf(request), kind, serviceKey },
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** 404 for enterprises other than the caller's. */
function requireEnterprise(caller: Caller, enterpriseId: number): void {
  if (enterpriseId !== caller.enterpriseId) {
    throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
  }
}

/** A download of the period; `name` is the start of the file name. */
function exported(
  name: string,
  {
    data,
    period,
    format,
  }: Readonly<{ data: Readable; period: DayPeriod; format: StatisticsFormat }>,
): Answer {
  if (format === "json") {
    return { status: 200, content: { type: "application/json", data } };
  }
  const filename = `${name}-${period.since}-${period.until}.csv`;
  return {
    status: 200,
    content: { type: "text/csv; charset=utf-8", data },
    headers: { "Content-Disposition": `attachment; filename="${filename}"` },
  };
}
