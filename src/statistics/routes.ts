import { invalidParameter, problem } from "../contracts/problems.ts";
import { idParams } from "../http/request-schema.ts";
import { route, type Caller, type JsonSchema, type Route } from "../http/route.ts";
import { scopeOf } from "../http/scope.ts";
import { statisticsKeys } from "./row.ts";
import type { Statistics, StatisticsFormat } from "./service.ts";

export type StatisticsRoutesDeps = Readonly<{ statistics: Statistics }>;

const params = idParams("enterpriseId");

const query: JsonSchema = {
  type: "object",
  properties: {
    format: { type: "string", maxLength: 10, description: "JSON (default) or CSV, in any case" },
    since: { type: "string", maxLength: 20, description: "First day, YYYY-MM-DD; default today" },
    until: { type: "string", maxLength: 20, description: "Last day, included; default today" },
    labels: { type: "string", enum: ["code"], description: "States as codes instead of words" },
    withTrashed: { type: "string", enum: ["0", "1"], description: "Deleted tickets too: admins" },
  },
};

type StatisticsQuery = {
  format?: string;
  since?: string;
  until?: string;
  labels?: "code";
  withTrashed?: "0" | "1";
};

const integers: ReadonlySet<string> = new Set([
  ...["ID", "Nombre d'invitations", "Nombre d'invitations email", "Nombre d'invitations SMS"],
  ...["Nombre Appels", "Durée totale des appels (secondes)", "Photos", "Vidéos", "Scans"],
]);

const typeOf = (key: string): JsonSchema => {
  if (key === "Type") {
    return { type: ["string", "null"] };
  }
  return { type: integers.has(key) ? "integer" : "string" };
};

const schema: JsonSchema = {
  type: "array",
  items: {
    title: "TicketStatistics",
    type: "object",
    additionalProperties: false,
    required: [...statisticsKeys],
    properties: Object.fromEntries(statisticsKeys.map((key) => [key, typeOf(key)])),
  },
};

const formatOf = (text: string | undefined): StatisticsFormat => {
  const format = (text ?? "").trim().toLowerCase();
  if (format === "" || format === "json") {
    return "json";
  }
  if (format !== "csv") {
    throw invalidParameter("format", "unknown", "The format is JSON or CSV.");
  }
  return "csv";
};

const maySeeDeleted = ({ role }: Caller): boolean => role === "admin" || role === "superadmin";

export const statisticsRoutes = ({ statistics }: StatisticsRoutesDeps): Route[] => [
  route<{ enterpriseId: number }, StatisticsQuery>({
    method: "GET",
    path: "/enterprises/{enterpriseId}/tickets-stats",
    operationId: "api.v3.enterprises.ticketsStats",
    summary: "One row for each ticket that was created in a period, as JSON or CSV",
    permission: "stats.read",
    family: "solution",
    limit: "api",
    params,
    query,
    answer: { status: 200, schema, produces: ["text/csv"] },
    handle: async ({ caller, reach, params: { enterpriseId }, query: given }) => {
      if (enterpriseId !== caller.enterpriseId) {
        throw problem("not_found", `Enterprise ${enterpriseId} was not found.`);
      }
      const { format: wanted, labels, withTrashed, ...days } = given;
      const format = formatOf(wanted);
      if (withTrashed === "1" && !maySeeDeleted(caller)) {
        throw problem("forbidden", "Only administrators see deleted tickets.");
      }
      const { period, data } = await statistics.tickets({
        ...days,
        scope: scopeOf({ caller, reach }),
        format,
        labels: labels === "code" ? "code" : "text",
        hasDeleted: withTrashed === "1",
      });
      if (format === "json") {
        return { status: 200, content: { type: "application/json", data } };
      }
      const name = `tickets-stats-${period.since}-${period.until}.csv`;
      return {
        status: 200,
        content: { type: "text/csv; charset=utf-8", data },
        headers: { "Content-Disposition": `attachment; filename="${name}"` },
      };
    },
  }),
];
