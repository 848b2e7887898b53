/**
 * In: a supervisor's page that wants to see and hear the call of its token.
 * Out: the way to the media, with a token that only receives.
 * Guarantee: the pages in the call send to a supervisor only while they see the page in the room, and
 * tell their people so. A supervisor has no participation: sessions and statistics do not change.
 * On crash: the lease of the page expires, and the pages stop sending to it.
 */
import { problem } from "../../contracts/problems.ts";
import type { CallWatched } from "../../contracts/room-messages.ts";
import type { SocketHandlers } from "../socket-protocol.ts";
import type { CallContext } from "./call.ts";
import { routedPeer } from "./route-feed.ts";
import { requirePeerId, requireToken } from "./socket.ts";

export function createSupervisorHandlers({
  deps,
  socket,
  poll,
  others,
}: Pick<CallContext, "deps" | "socket" | "poll" | "others">): SocketHandlers {
  const { data } = socket;
  return {
    watch: async (): Promise<CallWatched> => {
      requirePeerId(data);
      await requireToken(deps, socket);
      const sessionId = data.guest.visit;
      const route = await deps.media.watch(routedPeer(socket, sessionId));
      if (route.kind === "mesh") {
        data.watchedSessionId = undefined;
        throw problem("conflict", "This call cannot be watched: its media do not pass LiveKit.");
      }
      data.watchedSessionId = sessionId;
      data.route = route.kind;
      await poll();
      return { route, peers: others() };
    },
  };
}
