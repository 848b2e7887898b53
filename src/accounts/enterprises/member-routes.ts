/** Routes of the groups and the domains of an enterprise. */
import { pageHeaders, parsePage } from "../../http/paging.ts";
import { idParams, pageQuery, type PageQuery } from "../../http/schema.ts";
import { created, noContent, ok, route, type Route } from "../../http/route.ts";
import { actorOf } from "../changes.ts";
import { pageRule } from "../fields.ts";
import type { Domains } from "./domains.ts";
import type { Enterprises } from "./service.ts";
import type { UserGroups } from "./groups.ts";
import { presentDomain, presentGroup } from "./routes.ts";
import {
  changeGroupSchema,
  createDomainSchema,
  createGroupSchema,
  domainListSchema,
  domainSchema,
  groupListSchema,
  groupSchema,
  type CreateDomainBody,
  type GroupInput,
} from "./schema.ts";

export type MemberRoutesDeps = Readonly<{
  enterprises: Pick<Enterprises, "require">;
  groups: UserGroups;
  domains: Domains;
}>;

type EnterpriseScope = { enterpriseId: number };

const common = { family: "solution", limit: "api" } as const;

const params = idParams("enterpriseId");

export function createMemberRoutes(deps: MemberRoutesDeps): Route[] {
  return [...groupCollectionRoutes(deps), ...groupItemRoutes(deps), ...domainRoutes(deps)];
}

function groupCollectionRoutes({ enterprises, groups }: MemberRoutesDeps): Route[] {
  return [
    route<EnterpriseScope, PageQuery>({
      ...common,
      permission: "users.read",
      method: "GET",
      path: "/enterprises/{enterpriseId}/user-groups",
      operationId: "api.enterprises.groups.list",
      summary: "List the groups of an enterprise and their members, by name",
      params,
      query: { type: "object", properties: pageQuery },
      answer: { status: 200, schema: groupListSchema },
      handle: async ({ caller, params: { enterpriseId }, query, url }) => {
        const page = parsePage(query, pageRule);
        await enterprises.require(caller, enterpriseId);
        const found = await groups.list(enterpriseId, page);
        const data = found.groups.map(presentGroup);
        return ok({ total: found.total, data }, pageHeaders(url, page, found.total));
      },
    }),
    route<EnterpriseScope, unknown, GroupInput>({
      ...common,
      permission: "users.write",
      method: "POST",
      path: "/enterprises/{enterpriseId}/user-groups",
      operationId: "api.enterprises.groups.create",
      summary: "Create a group",
      params,
      body: createGroupSchema,
      answer: { status: 201, schema: groupSchema },
      handle: async (request) => {
        const { enterpriseId } = request.params;
        await enterprises.require(request.caller, enterpriseId);
        const group = await groups.create(actorOf(request), enterpriseId, request.body);
        const location = `/api/enterprises/${enterpriseId}/user-groups/${group.id}`;
        return created(presentGroup(group), location);
      },
    }),
  ];
}

const groupPath = "/enterprises/{enterpriseId}/user-groups/{groupId}";

const groupParams = idParams("enterpriseId", "groupId");

function groupItemRoutes({ enterprises, groups }: MemberRoutesDeps): Route[] {
  return [
    route<EnterpriseScope & { groupId: number }, unknown, GroupInput>({
      ...common,
      permission: "users.write",
      method: "PATCH",
      path: groupPath,
      operationId: "api.enterprises.groups.update",
      summary: "Rename a group, or replace its members",
      params: groupParams,
      body: changeGroupSchema,
      answer: { status: 200, schema: groupSchema },
      handle: async (request) => {
        const { enterpriseId, groupId: id } = request.params;
        await enterprises.require(request.caller, enterpriseId);
        const change = { id, input: request.body };
        return ok(presentGroup(await groups.update(actorOf(request), enterpriseId, change)));
      },
    }),
    route<EnterpriseScope & { groupId: number }>({
      ...common,
      permission: "users.write",
      method: "DELETE",
      path: groupPath,
      operationId: "api.enterprises.groups.delete",
      summary: "Delete a group that no ticket or service uses",
      params: groupParams,
      answer: { status: 204 },
      handle: async (request) => {
        const { enterpriseId, groupId } = request.params;
        await enterprises.require(request.caller, enterpriseId);
        await groups.remove(actorOf(request), enterpriseId, groupId);
        return noContent;
      },
    }),
  ];
}

function domainRoutes({ enterprises, domains }: MemberRoutesDeps): Route[] {
  return [
    route<EnterpriseScope>({
      ...common,
      permission: "enterprises.read",
      method: "GET",
      path: "/enterprises/{enterpriseId}/domains",
      operationId: "api.enterprises.domains.list",
      summary: "List the domains that may embed this platform's pages",
      params,
      answer: { status: 200, schema: domainListSchema },
      handle: async ({ caller, params: { enterpriseId } }) => {
        await enterprises.require(caller, enterpriseId);
        const data = (await domains.list(enterpriseId)).map(presentDomain);
        return ok({ total: data.length, data });
      },
    }),
    route<EnterpriseScope, unknown, CreateDomainBody>({
      ...common,
      permission: "enterprises.write",
      method: "POST",
      path: "/enterprises/{enterpriseId}/domains",
      operationId: "api.enterprises.domains.create",
      summary: "Add an allowed domain, optionally with an alias of this platform",
      params,
      body: createDomainSchema,
      answer: { status: 201, schema: domainSchema },
      problems: ["quota_reached"],
      handle: async (request) => {
        const { enterpriseId } = request.params;
        await enterprises.require(request.caller, enterpriseId);
        const domain = await domains.add(actorOf(request), enterpriseId, request.body);
        const location = `/api/enterprises/${enterpriseId}/domains/${domain.id}`;
        return created(presentDomain(domain), location);
      },
    }),
    route<EnterpriseScope & { domainId: number }>({
      ...common,
      permission: "enterprises.write",
      method: "DELETE",
      path: "/enterprises/{enterpriseId}/domains/{domainId}",
      operationId: "api.enterprises.domains.delete",
      summary: "Delete an allowed domain",
      params: idParams("enterpriseId", "domainId"),
      answer: { status: 204 },
      handle: async (request) => {
        const { enterpriseId, domainId } = request.params;
        await enterprises.require(request.caller, enterpriseId);
        await domains.remove(actorOf(request), enterpriseId, domainId);
        return noContent;
      },
    }),
  ];
}
