/**
 * In: changes of media routes (wake-ups of any process, and a periodic poll).
 * Out: the new route to each participating page of this process, with its own token.
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
  /** Pages in a call that have a route. */
  const routed = (): RoomSocket[] =>
    [...namespace.sockets.values()].filter(
      ({ data: { sessionId, route } }) => sessionId !== undefined && route !== undefined,
    );
  return {
    concerns: (conversationId) =>
      routed().some(({ data }) => data.guest.conversationId === conversationId),
    poll: coalesce(async () => {
      const sockets = routed();
      if (sockets.length === 0) {
        return;
      }
      const kinds = await media.listKinds(sockets.map(({ data }) => data.sessionId ?? ""));
      for (const socket of sockets) {
        const { sessionId, route } = socket.data;
        const kind = sessionId === undefined ? undefined : kinds.get(sessionId);
        if (sessionId !== undefined && kind !== undefined && kind !== route) {
          socket.data.route = kind;
          socket.emit("route", { route: await media.present(kind, routedPeer(socket, sessionId)) });
        }
      }
    }),
  };
}

export function routedPeer(socket: RoomSocket, sessionId: string): RoutedPeer {
  const { enterpriseId, conversationId, id, name } = peerOf(socket);
  return { room: { enterpriseId, conversationId }, sessionId, peer: { id, name } };
}
