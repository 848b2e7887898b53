/** Data, admission, authorization and end of a socket in a room. */
import type { Namespace, Socket } from "socket.io";
import { problem } from "../../contracts/problems.ts";
import {
  initialPeerState,
  type MediaRoute,
  type PeerState,
  type RoomPeer,
  type ServerToRoom,
} from "../../contracts/room-messages.ts";
import { peerRoles, type PeerRole } from "../../contracts/signalling.ts";
import type { RateVerdict } from "../../http/rate-limit.ts";
import { truncate } from "../../http/values.ts";
import type { Guest } from "../../http/route.ts";
import { requireCallLimit, type ClientMessages, disconnectAfterReply } from "../socket-protocol.ts";
import { isOwnPage, withFailureLimit, originOf, roomTokenOf } from "../authentication.ts";
import { countPeers, resumePeer, type StoredPeer } from "./peer-store.ts";
import type { SignallingDeps } from "../ports.ts";

export type RoomData = {
  guest: Guest;
  /** `waiting`: requests admission and receives no data of the room. */
  role: PeerRole | "waiting";
  token: string;
  /** Set by `hello`. */
  peerId: string | undefined;
  /** The pending `hello`: a repeated `hello` shares it and gets the same peer id. */
  entering: Promise<string> | undefined;
  /** The peer that this connection resumed, and when: the last connection to resume it keeps it. */
  resumed: Readonly<{ id: string; at: number }> | undefined;
  /** The session of this page's participation. */
  sessionId: string | undefined;
  /** The session that a supervisor's page watches. */
  watchedSessionId: string | undefined;
  /** The page took the call; see `takeCall`. */
  isInCall: boolean;
  /** The media route as last emitted. */
  route: MediaRoute["kind"] | undefined;
  /** Device state as reported by the page. */
  state: PeerState;
  /** A resumed page counts as in the call until then, so that it can join again unnoticed. */
  rejoinUntilMs: number;
  /** `over` was emitted. */
  isEnding: boolean;
};

export type RoomSocket = Socket<ClientMessages, ServerToRoom, object, RoomData>;

export type RoomNamespace = Namespace<ClientMessages, ServerToRoom, object, RoomData>;

/** Open pages per participant. */
const maxConnections = 10;

/**
 * Sockets per participant and process: half of them may be dead connections that are not detected
 * yet.
 */
const maxSockets = 2 * maxConnections;

/** Checks again after admission: concurrent connections all pass the check in `admitToRoom`. */
export function isTooMany(namespace: RoomNamespace, { data }: RoomSocket): boolean {
  return socketsOf(namespace, data.guest) > maxSockets;
}

export async function admitToRoom(
  deps: SignallingDeps,
  namespace: RoomNamespace,
  socket: RoomSocket,
): Promise<void> {
  const token = roomTokenOf(socket);
  // Runs before rate limits: a page of a foreign origin must not use up the sign-in limit of its
  // visitors' network.
  if (!isOwnPage(socket, deps.baseUrl)) {
    throw problem("forbidden", `Pages of ${originOf(socket)} may not open rooms.`);
  }
  const guest = await withFailureLimit(deps, socket, async () =>
    token === undefined ? undefined : deps.verifyRoomToken(token),
  );
  await requireCallLimit(() => countGuest(deps, guest));
  const role = roleOf(guest);
  if (socketsOf(namespace, guest) >= maxSockets) {
    throw tooMany();
  }
  if (role === "waiting") {
    await requireOpen(deps, guest);
  } else {
    await deps.chats.readForGuest(guest, { limit: 1 }); // throws `gone` if the room is closed
  }
  const data: RoomData = {
    guest,
    role,
    token: token ?? "",
    peerId: undefined,
    entering: undefined,
    resumed: undefined,
    sessionId: undefined,
    watchedSessionId: undefined,
    isInCall: false,
    route: undefined,
    state: initialPeerState,
    rejoinUntilMs: 0,
    isEnding: false,
  };
  Object.assign(socket.data, data);
}

/** Socket messages share the participant's REST rate limit. */
export function countGuest(
  { limits }: SignallingDeps,
  { conversationId, participant }: Guest,
): Promise<RateVerdict> {
  return limits.room.take(`${conversationId} ${participant}`);
}

async function requireOpen({ chats }: SignallingDeps, guest: Guest): Promise<void> {
  if (!(await chats.findOpen([guest])).has(guest.conversationId)) {
    throw problem("gone", "The room is closed.");
  }
}

function roleOf(guest: Guest): RoomData["role"] {
  const role = peerRoles.find((known) => known === guest.role);
  if (role === undefined && guest.role !== "waiting") {
    throw problem("forbidden", "This token is not for a room.");
  }
  return role ?? "waiting";
}

function socketsOf(namespace: RoomNamespace, guest: Guest): number {
  return [...namespace.sockets.values()].filter(
    ({ data }) =>
      data.guest.conversationId === guest.conversationId &&
      data.guest.participant === guest.participant,
  ).length;
}

/** Every `hello` of a connection gets the same peer id. It is the page's once its row is stored. */
export async function choosePeerId(
  deps: SignallingDeps,
  socket: RoomSocket,
  resume: string | undefined,
): Promise<string> {
  const { data } = socket;
  data.entering ??= findPeerId(deps, socket, resume);
  try {
    return await data.entering;
  } catch (thrown) {
    data.entering = undefined;
    throw thrown;
  }
}

/** The resumed peer id if its lease is still valid, else a new one. */
async function findPeerId(
  deps: SignallingDeps,
  { data }: RoomSocket,
  resume: string | undefined,
): Promise<string> {
  const { db, clock, ids, times } = deps;
  const { enterpriseId, conversationId, participant } = data.guest;
  const peer = { enterpriseId, conversationId, participant };
  const context = { now: clock.now(), goneMs: times.goneMs };
  const resumed =
    resume === undefined ? undefined : await resumePeer(db, { id: resume, ...peer }, context);
  if (resume !== undefined && resumed !== undefined) {
    data.state = resumed.state;
    data.resumed = { id: resume, at: resumed.resumedAt };
    data.rejoinUntilMs = resumed.isInCall ? performance.now() + times.goneMs : 0;
    return resume;
  }
  if ((await countPeers(db, peer, context)) >= maxConnections) {
    throw tooMany();
  }
  return ids.uuid();
}

function tooMany() {
  return problem("quota_reached", `You already have ${maxConnections} pages open. Close one.`);
}

/** Ends the participation in memory; the next heartbeat updates the row. */
export function endParticipation({ data }: RoomSocket): void {
  data.sessionId = undefined;
  data.watchedSessionId = undefined;
  data.isInCall = false;
  data.route = undefined;
  data.rejoinUntilMs = 0;
}

/** Checks the token again before a message: it may have expired or been revoked. */
export async function requireToken(deps: SignallingDeps, socket: RoomSocket): Promise<void> {
  if (!(await endIfInvalid(deps, socket))) {
    throw problem("bad_token", "The room token has expired or was revoked.");
  }
}

/**
 * Disconnects if the token does not hold any more. A removal is stored before any page hears of it,
 * so the reason is read from there: whichever check comes first tells the same. Out: whether it holds.
 */
export async function endIfInvalid(
  { verifyRoomToken, rooms }: SignallingDeps,
  socket: RoomSocket,
): Promise<boolean> {
  const { token, guest } = socket.data;
  if ((await verifyRoomToken(token)) !== undefined) {
    return true;
  }
  const [state] = await rooms.findAdmissions([guest]);
  const isRemoved = state === "denied";
  if (isRemoved && socket.data.isInCall) {
    // The page expects it before the end of its connection; it may still be on its way.
    endParticipation(socket);
    socket.emit("left", { reason: "removed" });
  }
  endSocket(socket, isRemoved ? "removed" : "token");
  return false;
}

/**
 * Disconnects after the token or the room ended. After `over` the page does not reconnect
 * automatically.
 */
export function endSocket(
  socket: RoomSocket,
  reason: Parameters<ServerToRoom["over"]>[0]["reason"],
): void {
  if (!socket.data.isEnding) {
    socket.data.isEnding = true;
    socket.emit("over", { reason });
    disconnectAfterReply(socket);
  }
}

export function conversationRoom(conversationId: number): string {
  return `conversation:${conversationId}`;
}

/** Pages of this process whose `hello` succeeded. */
export function socketsInRoom(namespace: RoomNamespace, conversationId: number): RoomSocket[] {
  const ids = namespace.adapter.rooms.get(conversationRoom(conversationId)) ?? [];
  return [...ids].flatMap((id) => namespace.sockets.get(id) ?? []);
}

/** Enterprises of connected pages, reference-counted: they are read for every message. */
export function countEnterprises(namespace: RoomNamespace): () => readonly number[] {
  const counts = new Map<number, number>();
  let connected: readonly number[] = [];
  const add = (id: number, change: 1 | -1): void => {
    const count = (counts.get(id) ?? 0) + change;
    if (count === 0) {
      counts.delete(id);
    } else {
      counts.set(id, count);
    }
    connected = [...counts.keys()];
  };
  namespace.on("connection", (socket) => {
    const { enterpriseId } = socket.data.guest;
    add(enterpriseId, 1);
    socket.once("disconnect", () => add(enterpriseId, -1));
  });
  return () => connected;
}

/** The stored form of a peer. Without an `id`, throws before `hello`. */
export function peerOf({ data }: RoomSocket, id = requirePeerId(data)): StoredPeer {
  const { enterpriseId, conversationId, participant, name } = data.guest;
  return {
    id,
    role: requireRole(data),
    name: truncate(name, 128),
    participant,
    isInCall: data.isInCall || performance.now() < data.rejoinUntilMs,
    state: data.state,
    enterpriseId,
    conversationId,
  };
}

export function presentPeer(peer: StoredPeer): RoomPeer {
  const { enterpriseId: _enterpriseId, conversationId: _conversationId, ...shown } = peer;
  return shown;
}

/** Throws before `hello`. */
export function requirePeerId({ peerId }: Pick<RoomData, "peerId">): string {
  if (peerId === undefined) {
    throw problem("conflict", "The first message must be hello.");
  }
  return peerId;
}

/** Throws for a waiting guest. */
export function requireRole({ role }: Pick<RoomData, "role">): PeerRole {
  if (role === "waiting") {
    throw problem("forbidden", "You are still waiting to be admitted.");
  }
  return role;
}
