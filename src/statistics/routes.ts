import type { Readable } from "node:stream";
import { problem } from "../contracts/problems.ts";
import { idParams } from "../http/request-schema.ts";
import { ok, route, type Answer, type Caller, type Route } from "../http/route.ts";
import { scopeOf } from "../http/scope.ts";
import { toExportFormat, type ExportFormat } from "./export.ts";
import type { Period } from "./period.ts";
import { presentTicketSummary } from "./present.ts";
import {
  daysQuery,
  ticketPageAnswer,
  ticketPageQuery,
  ticketRowsAnswer,
  ticketRowsQuery,
  ticketSummaryAnswer,
  type Days,
  type TicketPageQuery,
  type TicketRowsQuery,
} from "./schema.ts";
import type { Statistics } from "./service.ts";

export type StatisticsRoutesDeps = Readonly<{ statistics: Statistics }>;

/** What all statistics of an enterprise have in common. */
export const ofEnterprise = {
  permission: "stats.read",
  family: "solution",
  limit: "api",
  params: idParams("enterpriseId"),
} as const;

export function statisticsRoutes(deps: StatisticsRoutesDeps): Route[] {
  return [exportRoute(deps), rowsRoute(deps), summaryRoute(deps)];
}

function exportRoute({ statistics }: StatisticsRoutesDeps): Route {
  return route<{ enterpriseId: number }, TicketRowsQuery>({
    ...ofEnterprise,
    method: "GET",
    path: "/enterprises/{enterpriseId}/tickets-stats",
    operationId: "api.v3.enterprises.ticketsStats",
    summary: "One row for each ticket that was created in a period, as JSON or CSV",
    query: ticketRowsQuery,
    answer: { status: 200, schema: ticketRowsAnswer, produces: ["text/csv"] },
    handle: async ({ caller, reach, params: { enterpriseId }, query: given }) => {
      requireEnterprise(caller, enterpriseId);
      const { format: wanted, labels, withTrashed, ...days } = given;
      const format = toExportFormat(wanted);
      if (withTrashed === "1" && !maySeeAll(caller)) {
        throw problem("forbidden", "Only administrators see deleted tickets.");
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

export function maySeeAll({ role }: Caller): boolean {
  return role === "admin" || role === "superadmin";
}

/** A file of these days; `name` is what it begins with. */
export function exported(
  name: string,
  { data, period, format }: Readonly<{ data: Readable; period: Period; format: ExportFormat }>,
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

function rowsRoute({ statistics }: StatisticsRoutesDeps): Route {
  return route<{ enterpriseId: number }, TicketPageQuery>({
    ...ofEnterprise,
    method: "GET",
    path: "/enterprises/{enterpriseId}/tickets-stats/rows",
    operationId: "api.v3.enterprises.ticketsStatsRows",
    summary: "The same rows, a page at a time",
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
  return route<{ enterpriseId: number }, Days>({
    ...ofEnterprise,
    method: "GET",
    path: "/enterprises/{enterpriseId}/tickets-stats/summary",
    operationId: "api.v3.enterprises.ticketsStatsSummary",
    summary: "What the tickets of a period come to: in all, by day, by service and by agent",
    query: daysQuery,
    answer: { status: 200, schema: ticketSummaryAnswer },
    handle: async ({ caller, reach, params: { enterpriseId }, query }) => {
      requireEnterprise(caller, enterpriseId);
      const scope = scopeOf({ caller, reach });
      return ok(presentTicketSummary(await statistics.ticketSummary({ ...query, scope })));
    },
  });
}

/** Only of one's own. */
export function requireEnterprise(caller: Caller, enterpriseId: number): void {
  if (enterpriseId !== caller.enterpriseId) {
    throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
  }
}
