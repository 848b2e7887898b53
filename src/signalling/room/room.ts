/**
 * The namespace `/rtc`: people in the room of a conversation. Who is connected, and the chat; what
 * a call needs besides is more entries in the table of handlers.
 */
import type { ChatMessage } from "../../contracts/rooms.ts";
import type { Server } from "socket.io";
import { problem } from "../../contracts/problems.ts";
import type { Peer, RoomMessage } from "../../contracts/signalling.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import {
  serveMessages,
  guardNamespace,
  logFault,
  type SocketHandlers,
  closeWithLastSocket,
  withDeadline,
} from "../socket-protocol.ts";
import { lastChatId, tailChat } from "../chat-store.ts";
import { readText, readUuid, readWindow } from "../parse-input.ts";
import { keepPeersAlive, deletePeer, listPeers } from "../presence-store.ts";
import type { SignallingDeps, NamespaceDriver } from "../ports.ts";
import { createRoster, rosterTimes, type Roster } from "../roster.ts";
import { createTail } from "../tail.ts";
import {
  admitToRoom,
  countGuest,
  endSocket,
  assignPeerId,
  isTooMany,
  requireToken,
  type RoomNamespace,
  type RoomSocket,
} from "./socket.ts";

export function createRoomNamespace(deps: SignallingDeps, io: Server): NamespaceDriver {
  const namespace: RoomNamespace = io.of("/rtc");
  const { db, clock } = deps;
  const all = (): RoomSocket[] => [...namespace.sockets.values()];
  const joinedSockets = (): RoomSocket[] => all().filter(({ data }) => data.peerId !== undefined);
  const places = (): number[] => [
    ...new Set(joinedSockets().map(({ data }) => data.guest.conversationId)),
  ];
  const chat = createTail({
    read: (ask) => tailChat(db, ask),
    last: () => lastChatId(db),
    enterprises: () => [...new Set(all().map(({ data }) => data.guest.enterpriseId))],
    orderingKey: ({ conversationId }) => String(conversationId),
    emit: async (message) => {
      const { conversationId } = message;
      namespace.to(conversationRoom(conversationId)).emit("chat", presentRoomMessage(message));
    },
    nowMs: () => performance.now(),
  });
  const roster = createRoster<Peer>({
    ...rosterTimes(deps.times),
    watchedKeys: places,
    read: (wanted) => readPeers(deps, wanted),
    onChange: async (conversationId, { came, left }) => {
      const flush = (type: "peer-joined" | "peer-left", peer: Peer): void => {
        namespace.to(conversationRoom(conversationId)).except(peerRoom(peer.id)).emit(type, peer);
      };
      came.forEach((peer) => flush("peer-joined", peer));
      left.forEach((peer) => flush("peer-left", peer));
    },
  });
  guardNamespace(deps, namespace, (socket) => admitToRoom(deps, namespace, socket));
  namespace.on("connection", (socket) => {
    onConnection(deps, socket, roster);
    if (isTooMany(namespace, socket)) {
      socket.conn.close();
    }
    void chat.ready().catch(() => undefined);
  });
  return {
    onWakeup: (topic, [first = "", second = ""]) => {
      if (topic === "chat") {
        chat.onWakeup(Number(first), Number(second));
      } else if (topic === "peers" && places().includes(Number(first))) {
        void roster.poll().catch(() => undefined);
      }
    },
    heartbeat: async () => {
      const peers = joinedSockets().map((socket) => toRoomPeer(socket, socket.data.peerId ?? ""));
      if (peers.length > 0) {
        await keepPeersAlive(db, peers, clock.now());
      }
    },
    polls: [roster.poll, chat.poll],
    checkTokens: createTokenCheck(deps, namespace),
  };
}

async function readPeers(
  { db, clock, times }: SignallingDeps,
  places: readonly number[],
): Promise<Map<number, Map<string, Peer>>> {
  const found = new Map<number, Map<string, Peer>>();
  const context = { now: clock.now(), goneMs: times.goneMs };
  for (const { conversationId, ...peer } of await listPeers(db, places, context)) {
    const present = found.get(conversationId) ?? new Map<string, Peer>();
    found.set(conversationId, present.set(peer.id, peer));
  }
  return found;
}

const writing: ReadonlySet<string> = new Set(["chat"]);

function onConnection(deps: SignallingDeps, socket: RoomSocket, roster: Roster<Peer>): void {
  const { enterpriseId, conversationId } = socket.data.guest;
  const ids = {
    namespace: "/rtc",
    enterprise_id: enterpriseId,
    conversation_id: conversationId,
    role: socket.data.role,
  };
  deps.metrics.connected("/rtc", 1);
  deps.log.debug(ids, "signalling.connected");
  closeWithLastSocket(socket);
  serveMessages(deps, socket, {
    handlers: withDeadline(socket, deps.times.helloMs, createHandlers(deps, socket, roster)),
    writing,
    count: () => countGuest(deps, socket.data.guest),
  });
  socket.on("disconnect", (reason: string) => {
    const { peerId } = socket.data;
    deps.metrics.connected("/rtc", -1);
    deps.log.debug({ ...ids, reason }, "signalling.disconnected");
    // Whoever is lost keeps the place for a while; who leaves on purpose does not.
    if (peerId !== undefined && reason.endsWith("namespace disconnect")) {
      deletePeer(deps.db, { id: peerId, enterpriseId }).then(
        () => deps.publish(`peers:${conversationId}`),
        (thrown: unknown) => logFault(deps, ids, thrown),
      );
    }
  });
}

function createHandlers(
  deps: SignallingDeps,
  socket: RoomSocket,
  roster: Roster<Peer>,
): SocketHandlers {
  const { guest } = socket.data;
  const { conversationId } = guest;
  const others = (): Peer[] =>
    [...roster.presentIn(conversationId).values()].filter(({ id }) => id !== socket.data.peerId);
  return {
    hello: async (value) => {
      await requireToken(deps, socket);
      const resume = value["resume"] === undefined ? undefined : readUuid(value, "resume");
      const window = readWindow(value);
      const id = await assignPeerId(deps, socket, resume);
      const peer = toRoomPeer(socket, id);
      await keepPeersAlive(deps.db, [peer], deps.clock.now());
      if (!socket.connected && id !== resume) {
        await deletePeer(deps.db, peer); // nobody was told of this id, and nobody will resume it
        throw problem("conflict", "The connection is closed.");
      }
      // First, so that nothing falls between what is read and what is told.
      await socket.join([conversationRoom(conversationId), peerRoom(id)]);
      deps.publish(`peers:${conversationId}`);
      await roster.poll();
      const messages = await deps.chats.readForGuest(guest, window);
      return {
        self: selfOf(socket, id),
        peers: others(),
        messages: messages.map(presentRoomMessage),
      };
    },
    peers: async () => {
      requirePeer(socket);
      await requireToken(deps, socket);
      await roster.poll();
      return { peers: others() };
    },
    chat: async (raw) => {
      requirePeer(socket);
      await requireToken(deps, socket);
      const written = { clientKey: readUuid(raw, "clientId"), text: readText(raw) };
      return { message: presentRoomMessage(await deps.chats.writeAsGuest(guest, written)) };
    },
  };
}

function toRoomPeer(socket: RoomSocket, id: string) {
  const { enterpriseId, conversationId, participant } = socket.data.guest;
  return { ...selfOf(socket, id), enterpriseId, conversationId, participant };
}

function selfOf({ data: { role, guest } }: RoomSocket, id: string): Peer {
  return {
    id,
    role,
    name: guest.name.slice(0, 128),
  };
}

function conversationRoom(conversationId: number): string {
  return `conversation:${conversationId}`;
}

function peerRoom(peerId: string): string {
  return `peer:${peerId}`;
}

function presentRoomMessage(message: ChatMessage): RoomMessage {
  return {
    id: message.id,
    author: message.author,
    name: message.name,
    text: message.text,
    created: toTimestamp(message.at),
    clientId: message.clientKey,
  };
}

function requirePeer({ data: { peerId } }: RoomSocket): string {
  if (peerId === undefined) {
    throw problem("conflict", "The first message must be hello.");
  }
  return peerId;
}

/** Ends the sockets of rooms that are over, and those whose token does not hold any more. */
function createTokenCheck({ verifyRoomToken, chats }: SignallingDeps, namespace: RoomNamespace) {
  return async (): Promise<void> => {
    const sockets = [...namespace.sockets.values()];
    if (sockets.length === 0) {
      return;
    }
    const rooms = new Map(sockets.map(({ data: { guest } }) => [guest.conversationId, guest]));
    const open = await chats.findOpen([...rooms.values()]);
    for (const socket of sockets) {
      if (!open.has(socket.data.guest.conversationId)) {
        endSocket(socket, "room");
      } else if ((await verifyRoomToken(socket.data.token)) === undefined) {
        endSocket(socket, "token");
      }
    }
  };
}
