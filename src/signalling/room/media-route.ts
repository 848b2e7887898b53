/**
 * In: pages that join a session, their reports of failed media, and wake-ups of other processes.
 * Out: the media route, stored with the session, and a token for each page.
 * Guarantee: all processes and pages agree on the route. It changes at most twice in a session:
 * from mesh to LiveKit, and back if LiveKit is unreachable.
 * On crash: the route is in the database; the poll finds changes whose wake-up was lost.
 */
import type { MediaRoute } from "../../contracts/room-messages.ts";
import { supervisionOf, type RoomBackend, type StoredRoute } from "../../contracts/rooms.ts";
import { coalesce } from "../../platform/concurrency/async.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { MediaRouter, RoutedPeer } from "../ports.ts";
import {
  changeSessionRoute,
  findSessionRoute,
  listSessionRoutes,
  type SessionRoute,
} from "./route-store.ts";
import type { Sfu } from "./sfu.ts";
import { createSfuRooms, type SfuRoomsDeps } from "./sfu-rooms.ts";
import { peerOf, type RoomNamespace, type RoomSocket } from "./socket.ts";

/** In a mesh each page uploads to every other page, which overloads phones and home connections. */
const maxMeshPeople = 6;

const maxSfuPeople = 50;

/** `auto` switches to LiveKit above this. */
const maxAutoMeshPeople = 3;

type RouteCase = Readonly<{ route: StoredRoute; backend: RoomBackend; people: number }>;

/** Whether a session should switch to LiveKit, if it is configured. */
export function wantsSfu({ route, backend, people }: RouteCase, hasMeshFailed: boolean): boolean {
  return (
    route === "mesh" &&
    (backend === "livekit" || (backend === "auto" && (hasMeshFailed || people > maxAutoMeshPeople)))
  );
}

/** Whether a session without a reachable LiveKit server is small enough for a mesh. */
export function mayFallBack({ route, people }: RouteCase): boolean {
  return route === "livekit" && people <= maxMeshPeople;
}

function isMovedToWatch({ route, backend }: RouteCase): boolean {
  return route === "mesh" && supervisionOf({ route, backend }, true) === "available";
}

/** Participant limit of a session. `hasSfu`: LiveKit is configured. */
export function maxPeople(
  session: Pick<RouteCase, "route" | "backend"> | undefined,
  hasSfu: boolean,
): number {
  const mayUseSfu = session?.backend !== "mesh" && session?.route !== "fallback";
  return hasSfu && mayUseSfu ? maxSfuPeople : maxMeshPeople;
}

export type MediaRouterDeps = SfuRoomsDeps &
  Readonly<{
    log: Pick<Logger, "info" | "warn">;
    publish(topic: string): void;
  }>;

export function createMediaRouter(deps: MediaRouterDeps): MediaRouter {
  const { db, log, sfu, publish } = deps;
  const change = async (
    { room, sessionId }: RoutedPeer,
    from: StoredRoute,
    to: StoredRoute,
  ): Promise<void> => {
    if (from !== to && (await changeSessionRoute(db, { ...room, sessionId }, { from, to }))) {
      log.info({ session_id: sessionId, from, to }, "signalling.route_changed");
      publish(`route:${room.conversationId}`);
    }
  };
  const find = (peer: RoutedPeer): Promise<SessionRoute | undefined> =>
    findSessionRoute(db, { ...peer.room, sessionId: peer.sessionId });
  const present = async (kind: MediaRoute["kind"], peer: RoutedPeer): Promise<MediaRoute> =>
    kind === "mesh" || sfu === undefined
      ? { kind: "mesh" }
      : { kind, url: sfu.url, token: await sfu.issueToken(peer.sessionId, peer.peer) };
  const presentStored = async (peer: RoutedPeer): Promise<MediaRoute> =>
    present(kindOf((await find(peer))?.route, sfu), peer);
  /**
   * Checks the server first: switching to an unreachable one would leave all pages without media.
   */
  const moveToSfu = async (server: Sfu, peer: RoutedPeer, otherwise: StoredRoute) =>
    change(peer, "mesh", (await isReachable(server, peer.sessionId, log)) ? "livekit" : otherwise);

  return {
    enter: async (peer) => {
      const session = await find(peer);
      if (sfu !== undefined && session !== undefined && wantsSfu(session, false)) {
        await moveToSfu(sfu, peer, "fallback");
      }
      return presentStored(peer);
    },
    onFailure: async (peer, kind) => {
      const session = await find(peer);
      if (sfu !== undefined && session !== undefined) {
        if (kind === "mesh" && wantsSfu(session, true)) {
          await moveToSfu(sfu, peer, "mesh");
        } else if (kind === "livekit" && mayFallBack(session)) {
          // If another page is connected, only this page's network blocks the server: keep LiveKit.
          if (!(await hasConnected(sfu, peer.sessionId))) {
            await change(peer, "livekit", "fallback");
          }
        }
      }
      return presentStored(peer);
    },
    watch: async (peer) => {
      const session = await find(peer);
      if (sfu !== undefined && session !== undefined && isMovedToWatch(session)) {
        await moveToSfu(sfu, peer, "mesh");
      }
      return presentStored(peer);
    },
    present,
    listKinds: async (sessionIds) => {
      const routes = await listSessionRoutes(db, sessionIds);
      return new Map([...routes].map(([id, route]) => [id, kindOf(route, sfu)]));
    },
    ...createSfuRooms(deps),
  };
}

function kindOf(
  route: StoredRoute | undefined,
  sfu: Pick<Sfu, "url"> | undefined,
): MediaRoute["kind"] {
  return route === "livekit" && sfu !== undefined ? "livekit" : "mesh";
}

async function isReachable(
  sfu: Sfu,
  sessionId: string,
  log: MediaRouterDeps["log"],
): Promise<boolean> {
  try {
    await sfu.listParticipants(sessionId);
    return true;
  } catch (thrown) {
    log.warn({ reason: toError(thrown).message }, "signalling.livekit_unreachable");
    return false;
  }
}

async function hasConnected(sfu: Sfu, sessionId: string): Promise<boolean> {
  try {
    return (await sfu.listParticipants(sessionId)).some(({ isConnected }) => isConnected);
  } catch {
    return false;
  }
}

export type RouteFeed = Readonly<{
  /** Whether this process has a page with a route in the room. */
  concerns(conversationId: number): boolean;
  poll(): Promise<void>;
}>;

/**
 * Sends a changed route to each page of this process that participates or watches, with its own
 * token.
 */
export function createRouteFeed(media: MediaRouter, namespace: RoomNamespace): RouteFeed {
  /** Pages that have a route: in a call, or watching one. */
  const routed = (): RoomSocket[] =>
    [...namespace.sockets.values()].filter(
      ({ data }) => sessionOf(data) !== undefined && data.route !== undefined,
    );
  return {
    concerns: (conversationId) =>
      routed().some(({ data }) => data.guest.conversationId === conversationId),
    poll: coalesce(async () => {
      const sockets = routed();
      if (sockets.length === 0) {
        return;
      }
      const kinds = await media.listKinds(sockets.map(({ data }) => sessionOf(data) ?? ""));
      for (const socket of sockets) {
        const { route } = socket.data;
        const sessionId = sessionOf(socket.data);
        const kind = sessionId === undefined ? undefined : kinds.get(sessionId);
        if (sessionId !== undefined && kind !== undefined && kind !== route) {
          socket.data.route = kind;
          socket.emit("route", { route: await media.present(kind, routedPeer(socket, sessionId)) });
        }
      }
    }),
  };
}

/** The session in which the page takes part, or that it watches. */
function sessionOf({ sessionId, watchedSessionId }: RoomSocket["data"]): string | undefined {
  return sessionId ?? watchedSessionId;
}

export function routedPeer(socket: RoomSocket, sessionId: string): RoutedPeer {
  const { enterpriseId, conversationId, id, name, role } = peerOf(socket);
  return { room: { enterpriseId, conversationId }, sessionId, peer: { id, name, role } };
}
