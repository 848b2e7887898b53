import { defaultAvatarPath } from "../../http/public-pages.ts";
import { idParams } from "../../http/request-schema.ts";
import {
  noContent,
  ok,
  publicRoute,
  route,
  type PublicRoute,
  type Route,
} from "../../http/route.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { actorOf } from "../actor.ts";
import { openSchema, sessionSchema, signedInDeviceListSchema, type OpenBody } from "./schema.ts";
import type { Sessions, Signed } from "./service.ts";
import type { KeptSession } from "./store.ts";

export type SessionRoutesDeps = Readonly<{
  sessions: Sessions;
  /** What a browser says of itself, in words; empty where it cannot be told. */
  describeBrowser(userAgent: string | null): { system: string; browser: string };
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;

export function createSessionRoutes(deps: SessionRoutesDeps): (Route | PublicRoute)[] {
  return [...signingRoutes(deps), ...deviceRoutes(deps)];
}

function signingRoutes({ sessions, baseUrl }: SessionRoutesDeps): (Route | PublicRoute)[] {
  return [
    publicRoute<OpenBody>({
      method: "POST",
      path: "/browser-session",
      operationId: "api.browserSession.open",
      summary: "Sign a browser in with a cookie; from pages of this platform only",
      limit: "tokenIp",
      isSignIn: true,
      body: openSchema,
      answer: { status: 200, schema: sessionSchema },
      problems: ["bad_login", "csrf"],
      handle: async ({ body, clientNetwork, overLimit, header }) => {
        const { login, password, embedded = false } = body;
        const given = { login, password, clientNetwork, overLimit, isEmbedded: embedded };
        const { signed, headers } = await sessions.open(given, header);
        return ok(presentSigned(signed, baseUrl), headers);
      },
    }),
    route({
      method: "GET",
      path: "/browser-session",
      operationId: "api.browserSession.get",
      summary: "Who is signed in, what they may do, and the token that changes need",
      permission: "authenticated",
      family: "platform",
      limit: "api",
      answer: { status: 200, schema: sessionSchema },
      handle: async ({ caller, header }) =>
        ok(presentSigned(await sessions.describe(caller, header), baseUrl)),
    }),
    publicRoute({
      method: "DELETE",
      path: "/browser-session",
      operationId: "api.browserSession.close",
      summary: "Sign the browser out, also where its session is over",
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

function presentSigned(signed: Signed, baseUrl: string) {
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
      photo_url: signed.user.photoUrl ?? `${baseUrl}${defaultAvatarPath}`,
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

const own = { permission: "authenticated", family: "platform", limit: "api" } as const;

function deviceRoutes(deps: SessionRoutesDeps): Route[] {
  return [
    route({
      ...own,
      method: "GET",
      path: "/users/me/sessions",
      operationId: "api.users.me.sessions.list",
      summary: "List the browsers that the current user is signed in with, the one used last first",
      answer: { status: 200, schema: signedInDeviceListSchema },
      handle: async ({ caller }) => {
        const kept = await deps.sessions.list(caller);
        const data = kept.map((one) => presentDevice(one, deps, one.id === caller.sessionId));
        return ok({ total: data.length, data });
      },
    }),
    route<{ sessionId: number }>({
      ...own,
      method: "DELETE",
      path: "/users/me/sessions/{sessionId}",
      operationId: "api.users.me.sessions.end",
      summary: "Sign the current user out of a browser",
      params: idParams("sessionId"),
      answer: { status: 204 },
      handle: async (request) => {
        await deps.sessions.end(actorOf(request), request.params.sessionId);
        return noContent;
      },
    }),
  ];
}

function presentDevice(
  kept: KeptSession,
  { describeBrowser }: SessionRoutesDeps,
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
