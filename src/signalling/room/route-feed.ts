/**
 * In: changes of media routes (wake-ups of any process, and a periodic poll).
 * Out: the new route to each page of this process that participates or watches, with its own token.
 */
import { coalesce } from "../../platform/concurrency/async.ts";
import type { MediaRouter, RoutedPeer } from "../ports.ts";
import { peerOf, type RoomNamespace, type RoomSocket } from "./socket.ts";

export type RouteFeed = Readonly<{
  /** Whether this process has a page with a route in the room. */
  concerns(conversationId: number): boolean;
  poll(): Promise<void>;
}>;

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
