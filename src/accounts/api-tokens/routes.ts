import { pageHeaders, parsePage } from "../../http/paging.ts";
import {
  idParams,
  pageQuery,
  type PageQuery,
  exactObject,
  integer,
  listOf,
  nullableTimestamp,
  text,
  timestamp,
} from "../../http/schema.ts";
import {
  created,
  noContent,
  ok,
  route,
  type Caller,
  type Route,
  type JsonSchema,
} from "../../http/route.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { actorOf } from "../changes.ts";
import { pageRule, lineField } from "../fields.ts";
import { maxApiTokens, type ApiTokens, type ApiToken } from "./service.ts";

export type ApiTokenRoutesDeps = Readonly<{
  apiTokens: ApiTokens;
  /** Throws 404 unless the caller may see the enterprise. */
  requireEnterprise(caller: Caller, enterpriseId: number): Promise<unknown>;
}>;

export type CreateApiTokenBody = { name: string; expires_in_days?: number };

const apiTokenFields = {
  id: integer,
  name: text,
  user: exactObject("ApiTokenUser", { id: integer, login: text }),
  created: timestamp,
  expires_at: timestamp,
  last_used_at: nullableTimestamp,
};

const apiTokenListSchema = listOf("ApiTokenList", exactObject("ApiToken", apiTokenFields));

export function createApiTokenRoutes(deps: ApiTokenRoutesDeps): Route[] {
  return [...currentUserRoutes(deps), ...enterpriseRoutes(deps)];
}

const currentUser = { permission: "authenticated", family: "platform", limit: "api" } as const;

const path = "/users/me/api-tokens";

const defaultDays = 90;

const createApiTokenSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: lineField(100, 1),
    expires_in_days: { type: "integer", minimum: 1, maximum: 366 },
  },
};

const newApiTokenSchema = exactObject("NewApiToken", { ...apiTokenFields, token: text });

function currentUserRoutes({ apiTokens }: ApiTokenRoutesDeps): Route[] {
  return [
    route({
      ...currentUser,
      method: "GET",
      path,
      operationId: "api.users.me.apiTokens.list",
      summary: "List the API tokens of the current user, newest first",
      answer: { status: 200, schema: apiTokenListSchema },
      handle: async ({ caller: { enterpriseId, userId } }) => {
        const all = { limit: maxApiTokens, offset: 0 };
        const { total, tokens } = await apiTokens.list({ enterpriseId, userId }, all);
        return ok({ total, data: tokens.map(presentApiToken) });
      },
    }),
    route<unknown, unknown, CreateApiTokenBody>({
      ...currentUser,
      method: "POST",
      path,
      operationId: "api.users.me.apiTokens.create",
      summary: "Create an API token; it is shown only once",
      body: createApiTokenSchema,
      answer: { status: 201, schema: newApiTokenSchema },
      problems: ["quota_reached"],
      handle: async (request) => {
        const { name, expires_in_days: days = defaultDays } = request.body;
        const wanted = { name, days };
        const { token, apiToken } = await apiTokens.create(
          actorOf(request),
          request.caller,
          wanted,
        );
        return created({ ...presentApiToken(apiToken), token }, `/api${path}/${apiToken.id}`);
      },
    }),
    route<{ tokenId: number }>({
      ...currentUser,
      method: "DELETE",
      path: `${path}/{tokenId}`,
      operationId: "api.users.me.apiTokens.end",
      summary: "Revoke an API token of the current user",
      params: idParams("tokenId"),
      answer: { status: 204 },
      handle: async (request) => {
        const { enterpriseId, userId } = request.caller;
        const { tokenId } = request.params;
        await apiTokens.revoke(actorOf(request), { enterpriseId, userId }, tokenId);
        return noContent;
      },
    }),
  ];
}

const administration = { permission: "users.write", family: "solution", limit: "api" } as const;

function enterpriseRoutes({ apiTokens, requireEnterprise }: ApiTokenRoutesDeps): Route[] {
  return [
    route<{ enterpriseId: number }, PageQuery>({
      ...administration,
      method: "GET",
      path: "/enterprises/{enterpriseId}/api-tokens",
      operationId: "api.enterprises.apiTokens.list",
      summary: "List the API tokens of the enterprise's users, newest first",
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
      ...administration,
      method: "DELETE",
      path: "/enterprises/{enterpriseId}/api-tokens/{tokenId}",
      operationId: "api.enterprises.apiTokens.end",
      summary: "Revoke an API token of a user",
      params: idParams("enterpriseId", "tokenId"),
      answer: { status: 204 },
      handle: async (request) => {
        const { enterpriseId, tokenId } = request.params;
        await requireEnterprise(request.caller, enterpriseId);
        await apiTokens.revoke(actorOf(request), { enterpriseId }, tokenId);
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
