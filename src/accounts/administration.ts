/** Wires the operations of users, enterprises and services over one set of dependencies. */
import type { AuditLog } from "../contracts/audit.ts";
import type { Trx, Db } from "../platform/db/pool.ts";
import type { Limits } from "../http/limits.ts";
import {
  type Caller,
  type PublicRoute,
  type Route,
  noContent,
  ok,
  publicRoute,
} from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import type { Ids } from "../platform/ids.ts";
import { createDomains } from "./enterprises/domains.ts";
import { createEnterprises } from "./enterprises/service.ts";
import { createUserGroups } from "./enterprises/groups.ts";
import { createMemberRoutes } from "./enterprises/member-routes.ts";
import { createEnterpriseRoutes } from "./enterprises/routes.ts";
import type { Embedding } from "./embedding.ts";
import type { Passwords } from "./credentials.ts";
import type { QueuePrivateMail } from "../contracts/invitations.ts";
import { createPasswordResets, type PasswordResets } from "./password-reset.ts";
import type { Accounts } from "./service.ts";
import { createButtonRoutes, createButtons } from "./services/buttons.ts";
import { createServiceRoutes } from "./services/routes.ts";
import { createServiceAdministration } from "./services/service.ts";
import type { KnownClients } from "./sign-in/throttling.ts";
import type { Tasks } from "../platform/tasks/task.ts";
import { createUserRoutes } from "./users/routes.ts";
import { createUsers } from "./users/service.ts";
import { newPasswordField, secretText } from "./fields.ts";
import { setTimeout as delay } from "node:timers/promises";
import { problem } from "../contracts/problems.ts";
import { exactObject } from "../http/schema.ts";

export type AdministrationDeps = Readonly<{
  db: Db;
  tasks: Pick<Tasks, "plan">;
  ids: Pick<Ids, "base62" | "bytes" | "hex" | "key" | "uuid">;
  clock: Clock;
  passwords: Passwords;
  knownClients: Pick<KnownClients, "remember">;
  limits: Pick<Limits, "badLogin">;
  accounts: Pick<Accounts, "isTokenOf">;
  audit: AuditLog<Trx>;
  queueMail: QueuePrivateMail<Trx>;
  isAllowedOrigin: Embedding["isAllowedOrigin"];
  baseUrl: string;
}>;

export type Administration = {
  routes: (Route | PublicRoute)[];
  /** Throws 404 unless the caller may see the enterprise. */
  requireEnterprise(caller: Caller, enterpriseId: number): Promise<unknown>;
};

/** Public operations: password reset by mail, and the token check of the agent loader. */
export type PublicAccountRoutesDeps = Readonly<{
  accounts: Pick<Accounts, "isTokenOf">;
  resets: Pick<PasswordResets, "redeem" | "request">;
  isAllowedOrigin: Embedding["isAllowedOrigin"];
}>;

export function createAdministration(deps: AdministrationDeps): Administration {
  const { baseUrl } = deps;
  const resets = createPasswordResets(deps);
  const users = createUsers({ ...deps, resets });
  const enterprises = createEnterprises({ ...deps, resets });
  const services = createServiceAdministration(deps);
  return {
    requireEnterprise: (caller, enterpriseId) => enterprises.require(caller, enterpriseId),
    routes: [
      ...createPublicAccountRoutes({ ...deps, resets }),
      ...createUserRoutes({ users, baseUrl }),
      ...createEnterpriseRoutes({ enterprises, users, services, baseUrl }),
      ...createMemberRoutes({
        enterprises,
        groups: createUserGroups(deps),
        domains: createDomains(deps),
      }),
      ...createServiceRoutes({ services }),
      ...createButtonRoutes({ buttons: createButtons(deps), baseUrl }),
    ],
  };
}

type SetPasswordBody = { token: string; password: string };

type TokenCheckBody = { apiKey: string; userId: number; token: string };

function createPublicAccountRoutes({
  accounts,
  resets,
  isAllowedOrigin,
}: PublicAccountRoutesDeps): PublicRoute[] {
  return [
    passwordRequestRoute({ resets }),
    publicRoute<SetPasswordBody>({
      method: "POST",
      path: "/password",
      operationId: "api.password.set",
      summary: "Set a new password with the single-use token of a mailed link",
      limit: "tokenIp",
      body: {
        type: "object",
        additionalProperties: false,
        required: ["token", "password"],
        properties: { token: secretText, password: newPasswordField },
      },
      answer: { status: 204 },
      handle: async ({ body, clientNetwork, requestId }) => {
        await resets.redeem({ ...body, clientNetwork }, requestId);
        return noContent;
      },
    }),
    publicRoute<TokenCheckBody>({
      method: "POST",
      path: "/checkUserToken",
      operationId: "api.token.check",
      summary: "Verify that an access token is valid and belongs to this user",
      limit: "tokenCheck",
      transport: "any",
      body: {
        type: "object",
        additionalProperties: false,
        required: ["apiKey", "userId", "token"],
        properties: {
          apiKey: secretText,
          userId: { type: "integer", minimum: 1 },
          token: secretText,
        },
      },
      answer: {
        status: 200,
        schema: exactObject("TokenCheck", { valid: { type: "boolean", enum: [true] } }),
      },
      problems: ["bad_token"],
      handle: async ({ body, header }) => {
        const apiKeyUse = { apiKey: body.apiKey, origin: header("origin") };
        const headers = await corsHeaders({ isAllowedOrigin }, apiKeyUse);
        // The answer does not reveal which part is wrong.
        if (!(await accounts.isTokenOf(body))) {
          throw problem("bad_token", "The access token is not valid for this user.", {
            headers: {
              ...headers,
              "WWW-Authenticate": 'Bearer realm="api", error="invalid_token"',
            },
          });
        }
        return ok({ valid: true }, headers);
      },
    }),
  ];
}

type PasswordRequestBody = { login: string };

/** Minimum response time: hides whether the login exists. */
const minAnswerMs = 300;

function passwordRequestRoute({ resets }: Pick<PublicAccountRoutesDeps, "resets">): PublicRoute {
  return publicRoute<PasswordRequestBody>({
    method: "POST",
    path: "/password/request",
    operationId: "api.password.request",
    summary: "Send a password-reset link to the user with this login",
    limit: "tokenIp",
    body: {
      type: "object",
      additionalProperties: false,
      required: ["login"],
      properties: { login: { type: "string", minLength: 1, maxLength: 255 } },
    },
    answer: { status: 204 },
    handle: async ({ body, requestId }) => {
      await Promise.all([resets.request(body.login, requestId), delay(minAnswerMs)]);
      return noContent;
    },
  });
}

/** CORS for pages that may use the API key. The answer contains no cookies. */
async function corsHeaders(
  { isAllowedOrigin }: Pick<PublicAccountRoutesDeps, "isAllowedOrigin">,
  { apiKey, origin }: Readonly<{ apiKey: string; origin: string | undefined }>,
): Promise<Record<string, string>> {
  return {
    Vary: "Origin",
    ...(origin !== undefined && (await isAllowedOrigin({ apiKey, origin }))
      ? { "Access-Control-Allow-Origin": origin, "Cross-Origin-Resource-Policy": "cross-origin" }
      : {}),
  };
}
