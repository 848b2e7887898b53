import { photoUrlOf } from "../../contracts/directory.ts";
import { languages } from "../../contracts/languages.ts";
import {
  idParams,
  exactObject,
  flag,
  integer,
  listOf,
  nullableText,
  text,
  timestamp,
} from "../../http/schema.ts";
import {
  noContent,
  ok,
  publicRoute,
  route,
  type PublicRoute,
  type Route,
  type JsonSchema,
} from "../../http/route.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { actorOf } from "../changes.ts";
import type { Sessions, CurrentSession } from "./service.ts";
import type { StoredSession } from "./store.ts";
import { permissions, roles } from "../../contracts/permissions.ts";
import { nullableLanguageField } from "../fields.ts";

export type BrowserSessionRoutesDeps = Readonly<{
  sessions: Sessions;
  /** Parses a User-Agent header for display. Empty if unknown. */
  describeBrowser(userAgent: string | null): { system: string; browser: string };
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

export type SignInBody = { login: string; password: string; embedded?: boolean };

const reachField = { type: "string", enum: ["own", "group", "all"] } as const;

export function createBrowserSessionRoutes(
  deps: BrowserSessionRoutesDeps,
): (Route | PublicRoute)[] {
  return [...signInRoutes(deps), ...deviceRoutes(deps)];
}

const signInSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["login", "password"],
  properties: {
    login: { type: "string", minLength: 1, maxLength: 255 },
    password: { type: "string", minLength: 1, maxLength: 1024 },
    embedded: flag,
  },
};

const sessionSchema = exactObject("BrowserSession", {
  user: exactObject("BrowserSessionUser", {
    id: integer,
    login: text,
    nickname: text,
    email: text,
    role: { type: "string", enum: roles },
    is_agent: flag,
    account_type: { type: "string", enum: ["platform", "solution"] },
    language: nullableLanguageField,
    photo_url: text,
  }),
  enterprise: exactObject("BrowserSessionEnterprise", {
    id: integer,
    name: text,
    time_zone: text,
    language: { type: "string", enum: languages },
    solution_enabled: flag,
  }),
  permissions: {
    title: "Permissions",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(permissions.map((permission) => [permission, reachField])),
  },
  csrf_token: text,
  expires_at: timestamp,
});

function signInRoutes({ sessions, baseUrl }: BrowserSessionRoutesDeps): (Route | PublicRoute)[] {
  return [
    publicRoute<SignInBody>({
      method: "POST",
      path: "/browser-session",
      operationId: "api.browserSession.open",
      summary: "Sign in with a session cookie; for pages of this platform only",
      limit: "tokenIp",
      isSignIn: true,
      body: signInSchema,
      answer: { status: 200, schema: sessionSchema },
      problems: ["bad_login", "csrf"],
      handle: async ({ body, clientNetwork, overLimit, header }) => {
        const { login, password, embedded = false } = body;
        const input = { login, password, clientNetwork, overLimit, isEmbedded: embedded };
        const { signed, headers } = await sessions.open(input, header);
        return ok(presentSession(signed, baseUrl), headers);
      },
    }),
    route({
      method: "GET",
      path: "/browser-session",
      operationId: "api.browserSession.get",
      summary: "Read the current session: user, permissions and CSRF token",
      permission: "authenticated",
      family: "platform",
      limit: "api",
      answer: { status: 200, schema: sessionSchema },
      handle: async ({ caller, header }) =>
        ok(presentSession(await sessions.describe(caller, header), baseUrl)),
    }),
    publicRoute({
      method: "DELETE",
      path: "/browser-session",
      operationId: "api.browserSession.close",
      summary: "Sign out and remove the session cookie",
      limit: "guest",
      answer: { status: 204 },
      problems: ["csrf"],
      handle: async ({ header }) => ({
        ...noContent,
        headers: { "Set-Cookie": await sessions.close(header) },
      }),
    }),
  ];
}

function presentSession(signed: CurrentSession, baseUrl: string) {
  return {
    user: {
      id: signed.user.id,
      login: signed.user.login,
      nickname: signed.user.nickname,
      email: signed.user.email,
      role: signed.caller.role,
      is_agent: signed.user.isAgent,
      account_type: signed.caller.accountType,
      language: signed.user.language,
      photo_url: photoUrlOf(signed.user.photoUrl, baseUrl),
    },
    enterprise: {
      id: signed.enterprise.id,
      name: signed.enterprise.name,
      time_zone: signed.enterprise.timeZone,
      language: signed.enterprise.language,
      solution_enabled: signed.hasSolution,
    },
    permissions: signed.permissions,
    csrf_token: signed.csrfToken,
    expires_at: toTimestamp(signed.expires),
  };
}

const currentUser = { permission: "authenticated", family: "platform", limit: "api" } as const;

const signedInDeviceListSchema = listOf(
  "SignedInDeviceList",
  exactObject("SignedInDevice", {
    id: integer,
    created: timestamp,
    last_seen: timestamp,
    expires_at: timestamp,
    browser: text,
    system: text,
    user_agent: nullableText,
    embedded: flag,
    current: flag,
  }),
);

function deviceRoutes(deps: BrowserSessionRoutesDeps): Route[] {
  return [
    route({
      ...currentUser,
      method: "GET",
      path: "/users/me/sessions",
      operationId: "api.users.me.sessions.list",
      summary: "List the browser sessions of the current user, most recently used first",
      answer: { status: 200, schema: signedInDeviceListSchema },
      handle: async ({ caller }) => {
        const kept = await deps.sessions.list(caller);
        const data = kept.map((one) => presentDevice(one, deps, one.id === caller.sessionId));
        return ok({ total: data.length, data });
      },
    }),
    route<{ sessionId: number }>({
      ...currentUser,
      method: "DELETE",
      path: "/users/me/sessions/{sessionId}",
      operationId: "api.users.me.sessions.end",
      summary: "Revoke a browser session of the current user",
      params: idParams("sessionId"),
      answer: { status: 204 },
      handle: async (request) => {
        await deps.sessions.revoke(actorOf(request), request.params.sessionId);
        return noContent;
      },
    }),
  ];
}

function presentDevice(
  kept: StoredSession,
  { describeBrowser }: BrowserSessionRoutesDeps,
  current: boolean,
) {
  const { system, browser } = describeBrowser(kept.userAgent);
  return {
    id: kept.id,
    created: toTimestamp(kept.created),
    last_seen: toTimestamp(kept.seen),
    expires_at: toTimestamp(kept.expires),
    browser,
    system,
    user_agent: kept.userAgent,
    embedded: kept.isEmbedded,
    current,
  };
}
