/** What a socket in a room knows, how it comes to be, and how it ends. */
import type { Namespace, Socket } from "socket.io";
import { problem } from "../../contracts/problems.ts";
import { type ServerToRoom, peerRoles, type PeerRole } from "../../contracts/signalling.ts";
import type { RateVerdict } from "../../http/rate-limit.ts";
import type { Guest } from "../../http/route.ts";
import { requireCallLimit, type ClientMessages, disconnectAfterReply } from "../socket-protocol.ts";
import { withFailureLimit, originOf, roomTokenOf } from "../authentication.ts";
import { countPeers, resumePeer } from "../presence-store.ts";
import type { SignallingDeps } from "../ports.ts";

export type RoomData = {
  guest: Guest;
  role: PeerRole;
  token: string;
  /** Set by `hello`. */
  peerId: string | undefined;
  /** The first `hello`, while it is answered: one that is sent again meanwhile is the same peer. */
  entering: Promise<string> | undefined;
};

export type RoomSocket = Socket<ClientMessages, ServerToRoom, object, RoomData>;

export type RoomNamespace = Namespace<ClientMessages, ServerToRoom, object, RoomData>;

/** Pages that one participant may have open at the same time. */
const maxConnections = 10;

/** Sockets of one participant in this process: pages, and as many whose loss is not noticed yet. */
const maxSockets = 2 * maxConnections;

/** Whether more came at once than are let in one after the other. */
export function isTooMany(namespace: RoomNamespace, { data }: RoomSocket): boolean {
  return socketsOf(namespace, data.guest) > maxSockets;
}

export async function admitToRoom(
  deps: SignallingDeps,
  namespace: RoomNamespace,
  socket: RoomSocket,
): Promise<void> {
  const token = roomTokenOf(socket);
  const origin = originOf(socket);
  // First: a page of somebody else's must not use up the sign-ins of its visitors' address.
  if (origin !== undefined && origin !== new URL(deps.baseUrl).origin) {
    throw problem("forbidden", `Pages of ${origin} may not open rooms.`);
  }
  const guest = await withFailureLimit(deps, socket, async () =>
    token === undefined ? undefined : deps.verifyRoomToken(token),
  );
  await requireCallLimit(() => countGuest(deps, guest));
  const role = roleOf(guest);
  if (socketsOf(namespace, guest) >= maxSockets) {
    throw tooMany();
  }
  await deps.chats.readForGuest(guest, { limit: 1 }); // gone where the room is over
  const data: RoomData = {
    guest,
    role,
    token: token ?? "",
    peerId: undefined,
    entering: undefined,
  };
  Object.assign(socket.data, data);
}

/** Counts a call of somebody in a room as one by REST. */
export function countGuest(
  { limits }: SignallingDeps,
  { conversationId, participant }: Guest,
): Promise<RateVerdict> {
  return limits.room.take(`${conversationId} ${participant}`);
}

function roleOf(guest: Guest): PeerRole {
  const role = peerRoles.find((known) => known === guest.role);
  if (role === undefined) {
    throw problem("forbidden", "Waiting participants cannot read the room.");
  }
  return role;
}

function socketsOf(namespace: RoomNamespace, guest: Guest): number {
  return [...namespace.sockets.values()].filter(
    ({ data }) =>
      data.guest.conversationId === guest.conversationId &&
      data.guest.participant === guest.participant,
  ).length;
}

/** The same id for every `hello` of a connection. */
export async function assignPeerId(
  deps: SignallingDeps,
  socket: RoomSocket,
  resume: string | undefined,
): Promise<string> {
  const { data } = socket;
  data.entering ??= findPeerId(deps, socket, resume);
  try {
    data.peerId = await data.entering;
    return data.peerId;
  } catch (thrown) {
    data.entering = undefined;
    throw thrown;
  }
}

/** The id of this connection: the one that it had a moment ago, or a new one. */
async function findPeerId(
  deps: SignallingDeps,
  { data: { guest } }: RoomSocket,
  resume: string | undefined,
): Promise<string> {
  const { db, clock, ids, times } = deps;
  const { enterpriseId, conversationId, participant } = guest;
  const peer = { enterpriseId, conversationId, participant };
  const context = { now: clock.now(), goneMs: times.goneMs };
  if (resume !== undefined && (await resumePeer(db, { id: resume, ...peer }, context))) {
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

/** Asked before each message, as before each call by REST. */
export async function requireToken(
  { verifyRoomToken }: SignallingDeps,
  socket: RoomSocket,
): Promise<void> {
  if ((await verifyRoomToken(socket.data.token)) === undefined) {
    endSocket(socket, "token");
    throw problem("bad_token", "The room token has expired or was revoked.");
  }
}

/** Ends what a token or a room began. The page is told, and does not come back by itself. */
export function endSocket(socket: RoomSocket, reason: "token" | "room"): void {
  socket.emit("over", { reason });
  disconnectAfterReply(socket);
}
