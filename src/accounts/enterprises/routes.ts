import { parseBound } from "../../http/values.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { pageHeaders, parsePage } from "../../http/paging.ts";
import { idParams } from "../../http/schema.ts";
import { created, ok, route, type Route } from "../../http/route.ts";
import { actorOf } from "../changes.ts";
import { pageRule, parseSort } from "../fields.ts";
import { answerServiceList, type ServiceRoutesDeps } from "../services/routes.ts";
import {
  listServicesSchema,
  serviceListSchema,
  type ListServicesQuery,
} from "../services/model.ts";
import { answerUserList, type UserRoutesDeps } from "../users/routes.ts";
import { listUsersSchema, userListSchema, type ListUsersQuery } from "../users/model.ts";
import type { EnterpriseInput, Domain, Enterprise, UserGroup } from "./model.ts";
import {
  changeEnterpriseSchema,
  createEnterpriseSchema,
  enterpriseListSchema,
  enterpriseSchema,
  listEnterprisesSchema,
  quotaSchema,
  statisticsQuery,
  statisticsSchema,
  type CreateEnterpriseBody,
  type ListEnterprisesQuery,
  type StatisticsQuery,
} from "./schema.ts";
import type { Enterprises, UsagePeriod } from "./service.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { EnterpriseUsage, QuotaUse } from "./store.ts";

export type EnterpriseRoutesDeps = UserRoutesDeps &
  ServiceRoutesDeps &
  Readonly<{ enterprises: Enterprises }>;

type EnterpriseParams = { enterpriseId: number };

const reading = { permission: "enterprises.read", family: "solution", limit: "api" } as const;

const params = idParams("enterpriseId");

export function createEnterpriseRoutes(deps: EnterpriseRoutesDeps): Route[] {
  return [...collectionRoutes(deps), ...itemRoutes(deps), ...nestedListRoutes(deps)];
}

function collectionRoutes({ enterprises }: EnterpriseRoutesDeps): Route[] {
  return [
    route<unknown, ListEnterprisesQuery>({
      ...reading,
      method: "GET",
      path: "/enterprises",
      operationId: "api.enterprises.list",
      summary: "List the caller's enterprise and those it manages",
      query: listEnterprisesSchema,
      answer: { status: 200, schema: enterpriseListSchema },
      handle: async ({ caller, query, url }) => {
        const page = parsePage(query, pageRule);
        const { search } = query;
        const found = await enterprises.list(caller, { search, ...parseSort(query), ...page });
        const data = found.enterprises.map(presentEnterprise);
        return ok({ total: found.total, data }, pageHeaders(url, page, found.total));
      },
    }),
    route<unknown, unknown, CreateEnterpriseBody>({
      ...reading,
      permission: "enterprises.create",
      method: "POST",
      path: "/enterprises",
      operationId: "api.enterprises.create",
      summary: "Create an enterprise with its first administrator and services",
      body: createEnterpriseSchema,
      answer: { status: 201, schema: enterpriseSchema },
      handle: async (request) => {
        const enterprise = await enterprises.create(actorOf(request), request.body);
        return created(presentEnterprise(enterprise), `/api/enterprises/${enterprise.id}`);
      },
    }),
  ];
}

function itemRoutes({ enterprises }: EnterpriseRoutesDeps): Route[] {
  return [
    route<EnterpriseParams>({
      ...reading,
      method: "GET",
      path: "/enterprises/{enterpriseId}",
      operationId: "api.enterprises.get",
      summary: "Read an enterprise",
      params,
      answer: { status: 200, schema: enterpriseSchema },
      handle: async (request) =>
        ok(
          presentEnterprise(await enterprises.require(request.caller, request.params.enterpriseId)),
        ),
    }),
    route<EnterpriseParams, unknown, EnterpriseInput>({
      ...reading,
      permission: "enterprises.write",
      method: "PATCH",
      path: "/enterprises/{enterpriseId}",
      operationId: "api.enterprises.update",
      summary: "Change the settings of an enterprise",
      params,
      body: changeEnterpriseSchema,
      answer: { status: 200, schema: enterpriseSchema },
      handle: async (request) => {
        const { enterpriseId } = request.params;
        return ok(
          presentEnterprise(await enterprises.update(actorOf(request), enterpriseId, request.body)),
        );
      },
    }),
    route<EnterpriseParams, StatisticsQuery>({
      ...reading,
      method: "GET",
      path: "/enterprises/{enterpriseId}/statistics",
      operationId: "api.enterprises.statistics",
      summary:
        "Read the usage of an enterprise: users and storage now, SMS and sessions in a period (default: the last 30 days)",
      params,
      query: statisticsQuery,
      answer: { status: 200, schema: statisticsSchema },
      handle: async ({ caller, params: { enterpriseId }, query }) =>
        ok(presentStatistics(await enterprises.statistics(caller, enterpriseId, periodOf(query)))),
    }),
    route<EnterpriseParams>({
      ...reading,
      method: "GET",
      path: "/enterprises/{enterpriseId}/quota",
      operationId: "api.enterprises.quota",
      summary:
        "Read the quotas of an enterprise and their use; daily quotas count the last 24 hours",
      params,
      answer: { status: 200, schema: quotaSchema },
      handle: async ({ caller, params: { enterpriseId } }) =>
        ok(presentQuota(await enterprises.quota(caller, enterpriseId))),
    }),
  ];
}

function presentEnterprise(enterprise: Enterprise) {
  return {
    id: enterprise.id,
    name: enterprise.name,
    apiKey: enterprise.apiKey,
    time_zone: enterprise.time_zone,
    language: enterprise.language,
    sip_phone_number: enterprise.sip_phone_number,
    sms_sender: enterprise.sms_sender,
    mail_provider: enterprise.mail_provider,
    sms_provider: enterprise.sms_provider,
    solution_enabled: enterprise.solution_enabled,
    managed_by: enterprise.managed_by,
    quotas: {
      max_users: enterprise.max_users,
      max_media_bytes: enterprise.max_media_bytes,
      max_sms_per_day: enterprise.max_sms_per_day,
    },
    retention: { payload_days: enterprise.payload_days, log_days: enterprise.log_days },
    created: toTimestamp(enterprise.created),
    modified: toTimestamp(enterprise.modified),
  };
}

function presentStatistics(statistics: UsagePeriod & EnterpriseUsage) {
  return {
    since: toTimestamp(statistics.since),
    until: toTimestamp(statistics.until),
    users: statistics.users,
    disk_bytes: statistics.diskBytes,
    sms_sent: statistics.sms,
    sessions: statistics.sessions,
  };
}

function periodOf(query: StatisticsQuery) {
  const since = parseBound("since", query.since);
  const until = parseBound("until", query.until);
  if (since !== undefined && until !== undefined && since >= until) {
    throw invalidParameter("until", "range", "The period must not end before it starts.");
  }
  return { ...(since && { since }), ...(until && { until }) };
}

function presentQuota({ enterprise, use }: { enterprise: Enterprise; use: QuotaUse }) {
  return {
    users: { used: use.users, max: enterprise.max_users },
    media_bytes: { used: use.mediaBytes, max: enterprise.max_media_bytes },
    sms_per_day: { used: use.sms, max: enterprise.max_sms_per_day },
  };
}

function nestedListRoutes(deps: EnterpriseRoutesDeps): Route[] {
  return [
    route<EnterpriseParams, ListUsersQuery>({
      ...reading,
      permission: "users.read",
      method: "GET",
      path: "/enterprises/{enterpriseId}/users",
      operationId: "api.enterprises.users",
      summary: "List the users of an enterprise",
      params,
      query: listUsersSchema,
      answer: { status: 200, schema: userListSchema },
      handle: async (request) => {
        const { id } = await deps.enterprises.require(request.caller, request.params.enterpriseId);
        return answerUserList(deps, id, request);
      },
    }),
    route<EnterpriseParams, ListServicesQuery>({
      ...reading,
      permission: "services.read",
      method: "GET",
      path: "/enterprises/{enterpriseId}/services",
      operationId: "api.enterprises.services",
      summary: "List the services of an enterprise",
      params,
      query: listServicesSchema,
      answer: { status: 200, schema: serviceListSchema },
      handle: async (request) => {
        const { id } = await deps.enterprises.require(request.caller, request.params.enterpriseId);
        return answerServiceList(deps, id, request);
      },
    }),
  ];
}

export function presentDomain(domain: Domain) {
  return {
    id: domain.id,
    domain: domain.domain,
    alias: domain.alias,
    created: toTimestamp(domain.created),
  };
}

export function presentGroup({ id, name, members }: UserGroup) {
  return {
    id,
    name,
    members: members.map((member) => ({ id: member.id, login: member.login })),
  };
}
