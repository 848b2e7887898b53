/** Peers of rooms and participants of sessions: heartbeats, and changes from the leases. */
import type { RoomPeer } from "../../contracts/room-messages.ts";
import type { Heartbeat } from "../../contracts/rooms.ts";
import type { SignallingDeps } from "../ports.ts";
import { createRoster, rosterTimes, type Roster } from "../roster.ts";
import { keepPeersAlive, listPeers } from "./peer-store.ts";
import {
  conversationRoom,
  endParticipation,
  peerOf,
  socketsInRoom,
  type RoomNamespace,
  type RoomSocket,
} from "./socket.ts";

export type Peers = Roster<RoomPeer> &
  Readonly<{
    /** Whether this process has a page in the room. */
    concerns(conversationId: number): boolean;
    /** Renews the leases of this process's pages, and the participations of those in a call. */
    heartbeat(): Promise<void>;
  }>;

export function createPeers(deps: SignallingDeps, namespace: RoomNamespace): Peers {
  const { db, clock } = deps;
  const sockets = (): RoomSocket[] =>
    [...namespace.sockets.values()].filter(({ data }) => data.peerId !== undefined);
  const watchedKeys = (): number[] => [
    ...new Set(sockets().map(({ data }) => data.guest.conversationId)),
  ];
  const roster = createRoster<RoomPeer>({
    ...rosterTimes(deps.times),
    watchedKeys,
    read: (wanted) => readPeers(deps, wanted),
    isSame: (before, now) => JSON.stringify(before) === JSON.stringify(now),
    onChange: async (conversationId, { came, left, changed }) => {
      const receivers = socketsInRoom(namespace, conversationId);
      const emit = (type: "peer-joined" | "peer-left" | "peer-changed", peer: RoomPeer): void =>
        receivers
          .filter(({ data }) => data.peerId !== peer.id)
          .forEach((one) => one.emit(type, peer));
      came.forEach((peer) => emit("peer-joined", peer));
      changed.forEach((peer) => emit("peer-changed", peer));
      left.forEach((peer) => emit("peer-left", peer));
    },
  });
  return {
    ...roster,
    concerns: (conversationId) => namespace.adapter.rooms.has(conversationRoom(conversationId)),
    heartbeat: async () => {
      const present = sockets();
      if (present.length > 0) {
        await keepPeersAlive(db, present.map(peerOf), clock.now());
        await keepParticipating(deps, present);
      }
    },
  };
}

async function readPeers(
  { db, clock, times }: SignallingDeps,
  rooms: readonly number[],
): Promise<Map<number, Map<string, RoomPeer>>> {
  const found = new Map<number, Map<string, RoomPeer>>();
  const context = { now: clock.now(), goneMs: times.goneMs };
  for (const { conversationId, ...peer } of await listPeers(db, rooms, context)) {
    const present = found.get(conversationId) ?? new Map<string, RoomPeer>();
    found.set(conversationId, present.set(peer.id, peer));
  }
  return found;
}

/** Renews the participations; pages whose participation has ended get `left`. */
async function keepParticipating(
  deps: SignallingDeps,
  sockets: readonly RoomSocket[],
): Promise<void> {
  const participating = sockets.filter(({ data }) => data.sessionId !== undefined);
  const lost = await deps.rooms.heartbeat(participating.map(heartbeatOf));
  const keys = new Set(lost.map(keyOf));
  for (const socket of participating.filter((one) => keys.has(keyOf(heartbeatOf(one))))) {
    const latest = await deps.rooms.findLatestSession(deps.db, socket.data.guest);
    endParticipation(socket);
    socket.emit("left", { reason: latest?.endedAt === null ? "lost" : "ended" });
    deps.publish(`peers:${socket.data.guest.conversationId}`);
  }
}

function heartbeatOf({ data }: RoomSocket): Heartbeat {
  const { enterpriseId, participant } = data.guest;
  return { enterpriseId, participant, sessionId: data.sessionId ?? "" };
}

function keyOf({ sessionId, participant }: Heartbeat): string {
  return `${sessionId} ${participant}`;
}
