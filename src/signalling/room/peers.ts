/** Peers of rooms and participants of sessions: heartbeats, and changes from the leases. */
import type { RoomPeer } from "../../contracts/room-messages.ts";
import type { Heartbeat } from "../../contracts/rooms.ts";
import { isDataFault } from "../../platform/db/errors.ts";
import { toError } from "../../platform/errors.ts";
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
    /** After the `hello` of a page that is back: closes its older connections, in every process. */
    onBack(socket: RoomSocket): void;
    /** A page is back, in any process. */
    onResumed(words: readonly string[]): void;
  }>;

export function createPeers(deps: SignallingDeps, namespace: RoomNamespace): Peers {
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
        // A failure of the leases must not end participations.
        const heartbeats = present.filter(isInSession).map((socket) => ({
          socket,
          heartbeat: heartbeatOf(socket, roster),
        }));
        await Promise.all([renewLeases(deps, present), keepParticipating(deps, heartbeats)]);
      }
    },
    onBack: ({ data: { resumed } }) => {
      if (resumed !== undefined) {
        closeOlder(namespace, resumed);
        deps.publish(`resumed:${resumed.id}:${resumed.at}`);
      }
    },
    onResumed: ([id = "", at]) => closeOlder(namespace, { id, at: Number(at) }),
  };
}

/**
 * Nothing closes the old connection of a page that changed its network: it would get the messages of
 * the page and report its old state until its ping times out. It must not end the participation.
 */
function closeOlder(
  namespace: RoomNamespace,
  { id, at }: NonNullable<RoomSocket["data"]["resumed"]>,
): void {
  for (const socket of namespace.sockets.values()) {
    const { peerId, resumed } = socket.data;
    if ((peerId === id || resumed?.id === id) && (resumed?.at ?? 0) < at) {
      endParticipation(socket);
      socket.data.peerId = undefined;
      socket.conn.close(true); // not after what is still to be sent: nobody may read it
    }
  }
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

/**
 * Renews the leases of the pages in one statement. If the data of one page is refused, that page is
 * disconnected, and the others keep their leases.
 */
async function renewLeases(deps: SignallingDeps, sockets: readonly RoomSocket[]): Promise<void> {
  const { db, clock, log } = deps;
  try {
    const peers = sockets.map((socket) => peerOf(socket));
    const joined = sockets.filter(({ data }) => data.isInCall); // not those that are joining now
    endDisplaced(deps, joined, await keepPeersAlive(db, peers, clock.now()));
  } catch (thrown) {
    const error = toError(thrown);
    if (!isDataFault(error)) {
      throw error;
    }
    const [first, ...others] = sockets;
    if (first !== undefined && others.length === 0) {
      log.error({ conversation_id: first.data.guest.conversationId }, "signalling.peer_refused");
      first.conn.close();
      return;
    }
    const middle = Math.ceil(sockets.length / 2);
    await renewLeases(deps, sockets.slice(0, middle));
    await renewLeases(deps, sockets.slice(middle));
  }
}

/** The same person joined on another page, and this one did not hear of it. */
function endDisplaced(
  { publish }: SignallingDeps,
  sockets: readonly RoomSocket[],
  ids: readonly string[],
): void {
  const displaced = new Set(ids);
  for (const socket of sockets) {
    if (!socket.data.isInCall || !displaced.has(socket.data.peerId ?? "")) {
      continue;
    }
    endParticipation(socket);
    socket.emit("left", { reason: "elsewhere" });
    publish(`peers:${socket.data.guest.conversationId}`);
  }
}

/** Renews the participations; pages whose participation has ended get `left`. */
async function keepParticipating(
  deps: SignallingDeps,
  heartbeats: readonly Readonly<{ socket: RoomSocket; heartbeat: Heartbeat }>[],
): Promise<void> {
  const lost = await deps.rooms.heartbeat(heartbeats.map(({ heartbeat }) => heartbeat));
  const keys = new Set(lost.map(keyOf));
  for (const { socket, heartbeat } of heartbeats) {
    if (!keys.has(keyOf(heartbeat)) || socket.data.sessionId !== heartbeat.sessionId) {
      continue; // still present, or left or joined anew since
    }
    const reason = await whyEnded(deps, socket);
    endParticipation(socket);
    socket.emit("left", { reason });
    deps.publish(`peers:${socket.data.guest.conversationId}`);
  }
}

/** A removal is stored before anybody hears of it, so it may be noticed here first. */
async function whyEnded({ db, rooms }: SignallingDeps, { data }: RoomSocket) {
  const latest = await rooms.findLatestSession(db, data.guest);
  if (latest?.endedAt !== null) {
    return "ended";
  }
  const [state] = await rooms.findAdmissions([data.guest]);
  return state === "denied" ? "removed" : "lost";
}

function isInSession({ data }: RoomSocket): boolean {
  return data.sessionId !== undefined;
}

/** A page that is alone in the call has nothing to measure. */
function heartbeatOf({ data }: RoomSocket, roster: Pick<Peers, "presentIn">): Heartbeat {
  const { enterpriseId, conversationId, participant } = data.guest;
  const peers = [...roster.presentIn(conversationId).values()];
  const isAlone = !peers.some(({ id, isInCall }) => isInCall && id !== data.peerId);
  return {
    ...{ enterpriseId, participant, sessionId: data.sessionId ?? "" },
    ...(isAlone ? {} : { quality: data.state.quality }),
  };
}

function keyOf({ sessionId, participant }: Heartbeat): string {
  return `${sessionId} ${participant}`;
}
