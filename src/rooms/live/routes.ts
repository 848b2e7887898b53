/** The rooms in which a session is running now. */
import { callQualities } from "../../contracts/room-messages.ts";
import { participantRoles } from "../../contracts/rooms.ts";
import { scopeOf } from "../../http/authorize.ts";
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
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { listLivePeople, listLiveRooms, type LivePerson, type LiveRoom } from "./store.ts";

export type LiveRoomRoutesDeps = Readonly<{ db: Db; clock: Clock }>;

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
    is_recorded: flag,
    people: { type: "array", items: person },
  }),
);

export function liveRoomRoutes({ db, clock }: LiveRoomRoutesDeps): Route[] {
  return [
    route<unknown, OrderedPageQuery>({
      family: "solution",
      limit: "api",
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
        const data = rooms.map((room) => presentRoom(room, people.get(room.sessionId) ?? []));
        return ok({ total, data }, pageHeaders(url, page, total));
      },
    }),
  ];
}

function presentRoom(room: LiveRoom, people: readonly LivePerson[]) {
  return {
    id: room.sessionId,
    type: room.kind,
    subject_id: room.subjectId,
    name: room.name,
    reference: room.reference,
    service: room.service,
    start_time: toTimestamp(room.startedAt),
    media_route: room.mediaRoute,
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
