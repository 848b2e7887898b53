/** The rooms in which a session is running now, and tokens for watching one of them. */
import { callQualities } from "../../contracts/room-messages.ts";
import { supervisionOf, supervisionStates } from "../../contracts/rooms.ts";
import { participantRoles } from "../../contracts/signalling.ts";
import { actorOf, scopeOf } from "../../http/authorize.ts";
import { pageHeaders, parsePage } from "../../http/paging.ts";
import { ok, route, type Route } from "../../http/route.ts";
import {
  exactObject,
  flag,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  orderedPageSchema,
  text,
  timestamp,
  type OrderedPageQuery,
} from "../../http/schema.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { listLivePeople, listLiveRooms, type LivePerson, type LiveRoom } from "./store.ts";
import {
  issueSupervisorToken,
  supervisorTokenSeconds,
  type SupervisionDeps,
} from "./supervisors.ts";

const common = { family: "solution", limit: "api" } as const;

const person = exactObject("LiveRoomPerson", {
  name: text,
  role: { type: "string", enum: participantRoles },
  user_id: nullableInteger,
  start_time: timestamp,
  quality: { ...nullableText, enum: [...callQualities, null] },
});

const answer = listOf(
  "LiveRoomList",
  exactObject("LiveRoom", {
    id: { type: "string", format: "uuid" },
    type: { type: "string", enum: ["conference", "ticket"] },
    subject_id: integer,
    name: text,
    reference: text,
    service: exactObject("LiveRoomService", { id: integer, key: text, name: text }),
    start_time: timestamp,
    media_route: { type: "string", enum: ["mesh", "livekit"] },
    supervision: { type: "string", enum: supervisionStates },
    is_recorded: flag,
    people: { type: "array", items: person },
  }),
);

const supervisorToken = exactObject("SupervisorToken", {
  room_token: text,
  expires_in: integer,
  role: text,
  participant: text,
  visit: text,
});

export function liveRoomRoutes(deps: SupervisionDeps): Route[] {
  const { db, clock, hasLivekit } = deps;
  return [
    route<unknown, OrderedPageQuery>({
      ...common,
      method: "GET",
      path: "/rooms",
      operationId: "api.v3.rooms.list",
      summary: "List the rooms in which a session is running now",
      permission: "conversations.read",
      query: orderedPageSchema,
      answer: { status: 200, schema: answer },
      handle: async (request) => {
        const { query, url } = request;
        const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
        const scope = scopeOf(request);
        const { order = "desc" } = query;
        const { total, rooms } = await listLiveRooms(db, scope, { ...page, order });
        const sessionIds = rooms.map(({ sessionId }) => sessionId);
        const now = clock.now();
        const people = await listLivePeople(db, scope.enterpriseId, { sessionIds, now });
        const data = rooms.map((room) =>
          presentRoom(room, people.get(room.sessionId) ?? [], hasLivekit),
        );
        return ok({ total, data }, pageHeaders(url, page, total));
      },
    }),
    supervisorTokenRoute(deps),
  ];
}

function supervisorTokenRoute(deps: SupervisionDeps): Route {
  return route<{ sessionId: string }>({
    ...common,
    method: "POST",
    path: "/rooms/{sessionId}/supervisor-token",
    operationId: "api.v3.rooms.supervisorToken",
    summary: "Issue a room token for watching a running session",
    permission: "rooms.watch",
    params: {
      type: "object",
      required: ["sessionId"],
      properties: { sessionId: { type: "string", format: "uuid" } },
    },
    answer: { status: 200, schema: supervisorToken },
    problems: ["conflict"],
    handle: async (request) => {
      const { sessionId } = request.params;
      const order = { actor: actorOf(request), scope: scopeOf(request), sessionId };
      const { token, guest } = await issueSupervisorToken(deps, order);
      return ok({
        room_token: token,
        expires_in: supervisorTokenSeconds,
        role: guest.role,
        participant: guest.participant,
        visit: guest.visit,
      });
    },
  });
}

function presentRoom(room: LiveRoom, people: readonly LivePerson[], hasLivekit: boolean) {
  return {
    id: room.sessionId,
    type: room.kind,
    subject_id: room.subjectId,
    name: room.name,
    reference: room.reference,
    service: room.service,
    start_time: toTimestamp(room.startedAt),
    media_route: room.route === "livekit" ? "livekit" : "mesh",
    supervision: supervisionOf(room, hasLivekit),
    is_recorded: people.some(({ isRecording }) => isRecording),
    people: people.map(({ name, role, userId, joinedAt, quality }) => ({
      name,
      role,
      user_id: userId,
      start_time: toTimestamp(joinedAt),
      quality,
    })),
  };
}
