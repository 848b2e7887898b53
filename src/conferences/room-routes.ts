/** Routes for entering a room: staff, guests and telephones. */
import type { ConferenceStatus } from "../contracts/conferences.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import { scopeOf } from "../http/authorize.ts";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";
import {
  ok,
  publicRoute,
  type PublicRoute,
  route,
  type JsonSchema,
  type Route,
} from "../http/route.ts";
import type { BodyOf } from "../http/schema.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import { type Access, type RoomPass, staffRole } from "./access.ts";
import type { PasswordGuard } from "./credentials.ts";
import {
  type Conference,
  type ConferenceDeps,
  conferenceParams,
  type ConferenceParams,
} from "./model.ts";
import { accessAnswer, roomTokenAnswer, sipMappingAnswer } from "./present.ts";
import type { Conferences } from "./service.ts";
import { findByRoom, findConference } from "./store.ts";

type ConferenceRoomRoutesDeps = Readonly<{ conferences: Conferences; passwords: PasswordGuard }>;

const common = { family: "solution", limit: "api" } as const;

const accessSchema = {
  type: "object",
  properties: { password: { type: "string", maxLength: 64 } },
} as const satisfies JsonSchema;

type AccessQuery = BodyOf<typeof accessSchema>;

export type SipRoutesDeps = Readonly<{
  conferences: Pick<Conferences, "findByDialIn">;
  /** Limits guesses of dial-in codes, which are short. */
  limiter: Pick<RateLimiter, "take">;
  baseUrl: string;
}>;

export function conferenceRoomRoutes(deps: ConferenceRoomRoutesDeps): Route[] {
  return [checkAccessRoute(deps), roomTokenRoute(deps)];
}

function checkAccessRoute({ conferences, passwords }: ConferenceRoomRoutesDeps): Route {
  return route<ConferenceParams, AccessQuery>({
    ...common,
    method: "GET",
    path: "/conferences/{conferenceId}/checkAccess",
    operationId: "api.v3.conferences.checkAccess",
    summary: "Read the caller's access to a conference: allowed or not, role, and waiting state",
    permission: "conferences.read",
    params: conferenceParams,
    query: accessSchema,
    answer: { status: 200, schema: accessAnswer },
    handle: async (request) => {
      const { password } = request.query;
      const { conferenceId: room } = request.params;
      const attempt = { who: `user:${request.caller.userId}`, room, password };
      const { conference, access } = await passwords.run(attempt, {
        check: () => conferences.check(scopeOf(request), room, password),
        isWrong: (checked) => checked.access.reason === "password",
      });
      return ok(presentAccess(conference, access));
    },
  });
}

function presentAccess({ status, isModerated }: Conference, access: Access) {
  return {
    access: access.role !== null,
    role: access.role,
    must_wait: access.role === "waiting",
    moderation: isModerated,
    password_required: access.isPasswordRequired,
    undecryptable: access.isPasswordUndecryptable ? ["password"] : [],
    reason: access.reason,
    status,
  };
}

function roomTokenRoute({ conferences }: ConferenceRoomRoutesDeps): Route {
  return route<ConferenceParams>({
    ...common,
    method: "POST",
    path: "/conferences/{conferenceId}/room-token",
    operationId: "api.v3.conferences.roomToken",
    summary: "Issue a room token for a conference, in the caller's role",
    permission: "conferences.read",
    params: conferenceParams,
    answer: { status: 200, schema: roomTokenAnswer },
    problems: ["gone"],
    handle: async (request) =>
      ok(presentPass(await conferences.enter(scopeOf(request), request.params.conferenceId))),
  });
}

export function conferenceGuestRoutes(deps: ConferenceRoomRoutesDeps): PublicRoute[] {
  return [guestTokenRoute(deps)];
}

type GuestTokenBody = {
  service_key: string;
  room_name: string;
  password?: string;
  name?: string;
  access_token?: string;
};

function guestTokenRoute({ conferences, passwords }: ConferenceRoomRoutesDeps): PublicRoute {
  return publicRoute<GuestTokenBody>({
    method: "POST",
    path: "/guest/conferences/token",
    operationId: "api.v3.guest.conferences.token",
    summary: "Issue a room token for a conference, by its link",
    limit: "guest",
    body: {
      type: "object",
      additionalProperties: false,
      required: ["service_key", "room_name"],
      properties: {
        service_key: { type: "string", maxLength: 64 },
        room_name: { type: "string", maxLength: 100 },
        password: { type: "string", maxLength: 64 },
        name: { type: "string", maxLength: 255 },
        // From an `sso_url`: replaces the password and grants the role of its user.
        access_token: { type: "string", maxLength: 255 },
      },
    },
    answer: { status: 200, schema: roomTokenAnswer },
    problems: ["forbidden", "not_found", "gone"],
    handle: async ({ body, clientNetwork: who }) => {
      const { service_key: serviceKey, room_name: roomName, password, name } = body;
      const order = { serviceKey, roomName, password, name, accessToken: body.access_token };
      const attempt = { who, room: roomName, password };
      const check = () => conferences.enterAsGuest(order);
      return ok(presentPass(await passwords.run(attempt, { check })));
    },
  });
}

function presentPass({ conference, token, expiresInSeconds, role, name }: RoomPass) {
  return {
    room_token: token,
    token_type: "Bearer",
    expires_in: expiresInSeconds,
    role,
    name,
    conference: {
      name: conference.name,
      status: conference.status,
      start_time: toTimestamp(conference.startTime),
      end_time: toTimestamp(conference.endTime),
      moderation: conference.isModerated,
    },
  };
}

export function sipRoutes(deps: SipRoutesDeps): Route[] {
  return [sipRoute(deps)];
}

function sipRoute({ conferences, limiter, baseUrl }: SipRoutesDeps): Route {
  return route<unknown, { code: string }>({
    ...common,
    method: "GET",
    path: "/sip/mapper",
    operationId: "api.v3.sip.mapper",
    summary: "Find the room for a code dialled at the telephone gateway",
    permission: "sip.read",
    query: {
      type: "object",
      required: ["code"],
      properties: { code: { type: "string", pattern: "^[0-9]{1,32}$" } },
    },
    answer: { status: 200, schema: sipMappingAnswer },
    problems: ["not_found"],
    handle: async ({ caller, query: { code } }) => {
      const verdict = await limiter.take(String(caller.userId));
      if (!verdict.isAllowed) {
        throw rateLimited(verdict, "Too many codes.");
      }
      const conference = await conferences.findByDialIn(caller.enterpriseId, code);
      if (conference === undefined) {
        throw problem("not_found", "No conference has this code.");
      }
      return ok({
        conference_id: conference.id,
        room_name: conference.roomName,
        moderation: conference.isModerated,
        sip_uri: `sip:${conference.sipDtmfCode}@${new URL(baseUrl).hostname}`,
      });
    },
  });
}

/** What the page of a meeting shows before anybody enters. It is public to holders of the link. */
export type RoomPageFacts = Readonly<{
  name: string;
  status: ConferenceStatus;
  start_time: string;
  end_time: string;
  /** Empty if the organizer has no name. */
  organizer: string;
  is_password_required: boolean;
  is_locked: boolean;
  /** The signed-in user, if they may enter with their account. */
  account: Readonly<{ conference_id: number; role: string }> | null;
}>;

export type RoomPageOrder = Readonly<{
  serviceKey: string;
  roomName: string;
  /** Of the signed-in user, if they may read conferences. */
  scope: Scope | undefined;
}>;

export type FindRoomPage = (order: RoomPageOrder) => Promise<RoomPageFacts | undefined>;

export type RoomPageDeps = Pick<ConferenceDeps, "db"> & {
  directory: Pick<ConferenceDeps["directory"], "findUser">;
};

export function createRoomPage({ db, directory }: RoomPageDeps): FindRoomPage {
  const organizerOf = async ({ enterpriseId, organizer }: Conference): Promise<string> =>
    (await directory.findUser(db, enterpriseId, organizer.id))?.displayName ?? "";
  const findAccount = async (
    scope: Scope | undefined,
    conference: Conference,
  ): Promise<RoomPageFacts["account"]> => {
    if (scope?.enterpriseId !== conference.enterpriseId) {
      return null;
    }
    const found = await findConference(db, scope, conference.id);
    return found?.isInReach === true
      ? { conference_id: conference.id, role: staffRole(conference, scope.userId) }
      : null;
  };
  return async ({ serviceKey, roomName, scope }) => {
    const conference = await findByRoom(db, { serviceKey, roomName });
    if (conference === undefined) {
      return undefined;
    }
    return {
      name: conference.name,
      status: conference.status,
      start_time: toTimestamp(conference.startTime),
      end_time: toTimestamp(conference.endTime),
      organizer: await organizerOf(conference),
      is_password_required: conference.passwordSealed !== null,
      is_locked: conference.isLocked,
      account: await findAccount(scope, conference),
    };
  };
}
