/** Messages of those who decide who takes part: hosts of a meeting, and the agent of a ticket. */
import { problem } from "../../contracts/problems.ts";
import type { CallWatched } from "../../contracts/room-messages.ts";
import { isModerator, type PeerRole } from "../../contracts/signalling.ts";
import type { SocketHandlers } from "../socket-protocol.ts";
import { presentWaiting } from "./admissions.ts";
import type { CallContext } from "./call.ts";
import { deletePeersOf } from "./peer-store.ts";
import { mayRemove } from "./rights.ts";
import { routedPeer } from "./media-route.ts";
import * as schemas from "./schemas.ts";
import { requirePeerId, requireRole, requireToken } from "./socket.ts";

export function createHostHandlers({ deps, socket, relay, others }: CallContext): SocketHandlers {
  const { guest } = socket.data;
  const requireHost = async (may: (role: PeerRole) => boolean = isModerator): Promise<void> => {
    requirePeerId(socket.data);
    if (!may(requireRole(socket.data))) {
      throw problem("forbidden", "Only the organizer and the moderator can do this.");
    }
    await requireToken(deps, socket);
  };
  const notify = (): void => deps.publish(`admissions:${guest.conversationId}`);
  /** Their participation has ended and their token is not valid any more: their pages follow. */
  const dismiss = async (participants: readonly string[]): Promise<void> => {
    const session = await deps.rooms.findLatestSession(deps.db, guest);
    for (const peer of others().filter((one) => participants.includes(one.participant))) {
      await relay.toPeer(guest, peer.id, { type: "left", payload: { reason: "removed" } });
      if (session !== undefined) {
        deps.media.leave(session.id, peer.id);
      }
    }
    await deletePeersOf(deps.db, guest, participants);
    deps.publish(`peers:${guest.conversationId}`);
    deps.publish(`removed:${guest.conversationId}`);
  };
  return {
    waiting: async () => {
      await requireHost();
      return { people: (await deps.rooms.listWaiting(guest)).map(presentWaiting) };
    },
    admit: async (raw) => {
      const { participants } = schemas.readAdmit(raw);
      await requireHost();
      await deps.rooms.admit(guest, participants);
      notify();
      return {};
    },
    deny: async (raw) => {
      const { participants } = schemas.readDeny(raw);
      await requireHost();
      await dismiss(await deps.rooms.deny(guest, participants));
      notify();
      return {};
    },
    remove: async (raw) => {
      const { participant } = schemas.readRemove(raw);
      await requireHost(mayRemove);
      if (!(await deps.rooms.remove(guest, participant))) {
        throw problem(
          "not_found",
          "This person is not in the call, or may not be removed from it.",
        );
      }
      await dismiss([participant]);
      return {};
    },
    lock: async (raw) => {
      const { isLocked } = schemas.readLock(raw);
      await requireHost();
      await deps.setRoomLock(guest, isLocked);
      await relay.toRoom(guest, null, { type: "lock", payload: { isLocked } });
      return {};
    },
  };
}

/**
 * In: a supervisor's page that wants to see and hear the call of its token.
 * Out: the way to the media, with a token that only receives.
 * Guarantee: the pages in the call send to a supervisor only while they see the page in the room, and
 * tell their people so. A supervisor has no participation: sessions and statistics do not change.
 * On crash: the lease of the page expires, and the pages stop sending to it.
 */
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
        throw problem(
          "conflict",
          "This call cannot be watched: its media do not go through LiveKit.",
        );
      }
      data.watchedSessionId = sessionId;
      data.route = route.kind;
      await poll();
      return { route, peers: others() };
    },
  };
}
