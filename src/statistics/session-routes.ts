import { missingParameter } from "../contracts/problems.ts";
import { ok, route, type ApiRequest, type Route } from "../http/route.ts";
import { scopeOf } from "../http/scope.ts";
import { toExportFormat } from "./export.ts";
import { presentSessionSummary } from "./present.ts";
import { exported, maySeeAll, ofEnterprise, requireEnterprise } from "./routes.ts";
import {
  sessionRowsAnswer,
  sessionRowsQuery,
  sessionSummaryAnswer,
  sessionSummaryQuery,
  type SessionsQuery,
} from "./schema.ts";
import type { SessionsOrder, SessionStatistics } from "./sessions.ts";

export type SessionStatisticsRoutesDeps = Readonly<{ sessions: SessionStatistics }>;

/** As the sessions themselves. */
const common = { ...ofEnterprise, family: "platform" } as const;

export function sessionStatisticsRoutes({ sessions }: SessionStatisticsRoutesDeps): Route[] {
  return [
    route<{ enterpriseId: number }, SessionsQuery & { format?: "JSON" | "CSV" }>({
      ...common,
      method: "GET",
      path: "/enterprises/{enterpriseId}/sessions-stats",
      operationId: "api.v3.enterprises.sessionsStats",
      summary: "One row for each session that ended in a period, as JSON or CSV",
      query: sessionRowsQuery,
      answer: { status: 200, schema: sessionRowsAnswer, produces: ["text/csv"] },
      handle: async (request) => {
        const format = toExportFormat(request.query.format);
        const { period, data } = await sessions.sessions({ ...orderOf(request), format });
        return exported("sessions", { data, period, format });
      },
    }),
    route<{ enterpriseId: number }, SessionsQuery>({
      ...common,
      method: "GET",
      path: "/enterprises/{enterpriseId}/sessions-stats/summary",
      operationId: "api.v3.enterprises.sessionsStatsSummary",
      summary: "What the sessions of a period come to: in all, by day and by service",
      query: sessionSummaryQuery,
      answer: { status: 200, schema: sessionSummaryAnswer },
      handle: async (request) =>
        ok(presentSessionSummary(await sessions.sessionSummary(orderOf(request)))),
    }),
  ];
}

type Request<Query> = ApiRequest<{ enterpriseId: number }, Query>;

/** Only administrators see all services at once, as in the list of sessions. */
function orderOf(request: Request<SessionsQuery>): SessionsOrder {
  const { caller, query, params } = request;
  requireEnterprise(caller, params.enterpriseId);
  const { type: kind = "conference", service_key: given, since, until } = query;
  const serviceKey = given === "" ? undefined : given;
  if (serviceKey === undefined && !maySeeAll(caller)) {
    throw missingParameter("service_key");
  }
  return {
    ...{ scope: scopeOf(request), kind, serviceKey },
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}
