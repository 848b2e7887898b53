import { pageHeaders, parsePage } from "../../http/paging.ts";
import { idParams, pageQuery, type PageQuery } from "../../http/request-schema.ts";
import { created, noContent, ok, route, type Caller, type Route } from "../../http/route.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { actorOf } from "../actor.ts";
import { pageRule } from "../fields.ts";
import {
  apiTokenListSchema,
  createApiTokenSchema,
  defaultDays,
  newApiTokenSchema,
  type CreateApiTokenBody,
} from "./schema.ts";
import { mostApiTokens, type ApiTokens } from "./service.ts";
import type { ApiToken } from "./store.ts";

export type ApiTokenRoutesDeps = Readonly<{
  apiTokens: ApiTokens;
  /** Throws where the caller may not see the enterprise: it was not found. */
  requireEnterprise(caller: Caller, enterpriseId: number): Promise<unknown>;
}>;

export function createApiTokenRoutes(deps: ApiTokenRoutesDeps): Route[] {
  return [...ownRoutes(deps), ...enterpriseRoutes(deps)];
}

const own = { permission: "authenticated", family: "platform", limit: "api" } as const;

const path = "/users/me/api-tokens";

function ownRoutes({ apiTokens }: ApiTokenRoutesDeps): Route[] {
  return [
    route({
      ...own,
      method: "GET",
      path,
      operationId: "api.users.me.apiTokens.list",
      summary: "List the API tokens of the current user, the newest first",
      answer: { status: 200, schema: apiTokenListSchema },
      handle: async ({ caller: { enterpriseId, userId } }) => {
        const all = { limit: mostApiTokens, offset: 0 };
        const { total, tokens } = await apiTokens.list({ enterpriseId, userId }, all);
        return ok({ total, data: tokens.map(presentApiToken) });
      },
    }),
    route<unknown, unknown, CreateApiTokenBody>({
      ...own,
      method: "POST",
      path,
      operationId: "api.users.me.apiTokens.create",
      summary: "Make an API token; it is shown this once",
      body: createApiTokenSchema,
      answer: { status: 201, schema: newApiTokenSchema },
      problems: ["quota_reached"],
      handle: async (request) => {
        const { name, expires_in_days: days = defaultDays } = request.body;
        const wanted = { name, days };
        const { token, made } = await apiTokens.create(actorOf(request), request.caller, wanted);
        return created({ ...presentApiToken(made), token }, `/api${path}/${made.id}`);
      },
    }),
    route<{ tokenId: number }>({
      ...own,
      method: "DELETE",
      path: `${path}/{tokenId}`,
      operationId: "api.users.me.apiTokens.end",
      summary: "End an API token of the current user",
      params: idParams("tokenId"),
      answer: { status: 204 },
      handle: async (request) => {
        const { enterpriseId, userId } = request.caller;
        const { tokenId } = request.params;
        await apiTokens.end(actorOf(request), { enterpriseId, userId }, tokenId);
        return noContent;
      },
    }),
  ];
}

const administering = { permission: "users.write", family: "solution", limit: "api" } as const;

function enterpriseRoutes({ apiTokens, requireEnterprise }: ApiTokenRoutesDeps): Route[] {
  return [
    route<{ enterpriseId: number }, PageQuery>({
      ...administering,
      method: "GET",
      path: "/enterprises/{enterpriseId}/api-tokens",
      operationId: "api.enterprises.apiTokens.list",
      summary: "List the API tokens of an enterprise's users, the newest first",
      params: idParams("enterpriseId"),
      query: { type: "object", properties: pageQuery },
      answer: { status: 200, schema: apiTokenListSchema },
      handle: async ({ caller, params: { enterpriseId }, query, url }) => {
        const page = parsePage(query, pageRule);
        await requireEnterprise(caller, enterpriseId);
        const { total, tokens } = await apiTokens.list({ enterpriseId }, page);
        return ok({ total, data: tokens.map(presentApiToken) }, pageHeaders(url, page, total));
      },
    }),
    route<{ enterpriseId: number; tokenId: number }>({
      ...administering,
      method: "DELETE",
      path: "/enterprises/{enterpriseId}/api-tokens/{tokenId}",
      operationId: "api.enterprises.apiTokens.end",
      summary: "End an API token of a user of the enterprise",
      params: idParams("enterpriseId", "tokenId"),
      answer: { status: 204 },
      handle: async (request) => {
        const { enterpriseId, tokenId } = request.params;
        await requireEnterprise(request.caller, enterpriseId);
        await apiTokens.end(actorOf(request), { enterpriseId }, tokenId);
        return noContent;
      },
    }),
  ];
}

function presentApiToken(token: ApiToken) {
  return {
    id: token.id,
    name: token.name,
    user: token.user,
    created: toTimestamp(token.created),
    expires_at: toTimestamp(token.expires),
    last_used_at: token.used === null ? null : toTimestamp(token.used),
  };
}
