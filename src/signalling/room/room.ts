/** Namespace `/rtc`: room participants, with presence, chat, call and waiting room. */
import type { RoomHello, RoomPeer } from "../../contracts/room-messages.ts";
import type { ChatMessage } from "../../contracts/rooms.ts";
import type { RoomMessage } from "../../contracts/signalling.ts";
import { problem } from "../../contracts/problems.ts";
import type { Server } from "socket.io";
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
import type { SignallingDeps, NamespaceDriver } from "../ports.ts";
import { createTail } from "../tail.ts";
import { createAdmissionsFeed, type AdmissionsFeed } from "./admissions.ts";
import { createCallHandlers, leaveCall, relayedTypes, type CallContext } from "./call.ts";
import { createHostHandlers, createSupervisorHandlers } from "./hosts.ts";
import { createPeers, type Peers } from "./peers.ts";
import { deletePeer, keepPeersAlive } from "./peer-store.ts";
import { createRelay, type Relay } from "./relay.ts";
import { createRouteFeed } from "./media-route.ts";
import {
  admitToRoom,
  conversationRoom,
  countEnterprises,
  countGuest,
  endIfInvalid,
  endSocket,
  choosePeerId,
  isTooMany,
  peerOf,
  presentPeer,
  requirePeerId,
  requireToken,
  socketsInRoom,
  type RoomNamespace,
  type RoomSocket,
} from "./socket.ts";

type RoomParts = Readonly<{ peers: Peers; relay: Relay; admissions: AdmissionsFeed }>;

export function createRoomNamespace(deps: SignallingDeps, io: Server): NamespaceDriver {
  const namespace: RoomNamespace = io.of("/rtc");
  const enterprises = countEnterprises(namespace);
  const chat = createChatTail(deps, namespace, enterprises);
  const peers = createPeers(deps, namespace);
  const relay = createRelay(deps, namespace, { roster: peers, enterprises });
  const admissions = createAdmissionsFeed(deps, namespace);
  const routes = createRouteFeed(deps.media, namespace);
  const checkTokens = createTokenCheck(deps, namespace);
  /** With those who wait to be admitted, who are no peers. */
  const everybody = {
    concerns: (id: number) =>
      [...namespace.sockets.values()].some(({ data }) => data.guest.conversationId === id),
  };
  /** Participations end first: with `left`, a page stores its recording. */
  const checkEnd = async (conversationId: number): Promise<void> => {
    await peers.heartbeat();
    await checkTokens(conversationId);
  };
  guardNamespace(deps, namespace, (socket) => admitToRoom(deps, namespace, socket));
  namespace.on("connection", (socket) => {
    onConnection(deps, socket, { peers, relay, admissions });
    if (isTooMany(namespace, socket)) {
      socket.conn.close();
    }
    void chat.ready().catch(() => undefined);
    void relay.tail.ready().catch(() => undefined);
  });
  const pollOf = (
    feed: Readonly<{ concerns(conversationId: number): boolean }>,
    poll: (conversationId: number) => Promise<void>,
  ) => {
    return ([word = ""]: readonly string[]): void => {
      const conversationId = Number(word);
      if (feed.concerns(conversationId)) {
        void poll(conversationId).catch(() => undefined);
      }
    };
  };
  const onWakeup: Record<string, (words: readonly string[]) => void> = {
    chat: ([enterpriseId = "", id = ""]) => chat.onWakeup(Number(enterpriseId), Number(id)),
    signal: relay.onSignal,
    pointer: relay.onPointer,
    peers: pollOf(peers, peers.pollKey),
    resumed: peers.onResumed,
    admissions: pollOf(admissions, admissions.poll),
    route: pollOf(routes, routes.poll),
    removed: pollOf(peers, checkTokens),
    ended: pollOf(everybody, checkEnd),
  };
  return {
    onWakeup: (topic, words) => onWakeup[topic]?.(words),
    heartbeat: peers.heartbeat,
    polls: [peers.poll, chat.poll, relay.tail.poll, admissions.poll, routes.poll],
    checkTokens: async () => {
      await checkTokens();
      await deps.media.sweep();
    },
  };
}

function createChatTail(
  { db }: SignallingDeps,
  namespace: RoomNamespace,
  enterprises: () => readonly number[],
) {
  return createTail({
    read: (query) => tailChat(db, query),
    last: () => lastChatId(db),
    enterprises,
    orderingKey: ({ conversationId }) => String(conversationId),
    emit: async (message) => {
      for (const socket of socketsInRoom(namespace, message.conversationId)) {
        // Experts read the call that they take part in, not what is written outside of it.
        if (message.sessionId !== null || socket.data.role !== "expert") {
          socket.emit("chat", presentRoomMessage(message));
        }
      }
    },
    nowMs: () => performance.now(),
  });
}

const writing: ReadonlySet<string> = new Set(["chat", "record"]);

function onConnection(deps: SignallingDeps, socket: RoomSocket, parts: RoomParts): void {
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
    handlers: handlersOf(deps, socket, parts),
    writing,
    relayed: relayedTypes,
    opening: "join",
    count: () => countGuest(deps, socket.data.guest),
    onFlood: () => endSocket(socket, "flood"),
  });
  socket.on("disconnect", (reason: string) => {
    deps.metrics.connected("/rtc", -1);
    deps.log.debug({ ...ids, reason }, "signalling.disconnected");
    // A lost connection keeps its lease, so the page can resume it; an explicit leave does not.
    if (reason.endsWith("namespace disconnect")) {
      leaveRoom(deps, socket).catch((thrown: unknown) => logFault(deps, ids, thrown));
    }
  });
}

async function leaveRoom(deps: SignallingDeps, socket: RoomSocket): Promise<void> {
  const { peerId, guest } = socket.data;
  if (peerId !== undefined) {
    await leaveCall(deps, socket);
    await deletePeer(deps.db, { id: peerId, enterpriseId: guest.enterpriseId });
    deps.publish(`peers:${guest.conversationId}`);
  }
}

/** A waiting guest can only knock, and a supervisor only watch. */
function handlersOf(
  deps: SignallingDeps,
  socket: RoomSocket,
  { peers, relay, admissions }: RoomParts,
): SocketHandlers {
  if (socket.data.role === "waiting") {
    return {
      knock: async () => {
        await requireToken(deps, socket);
        return { status: await admissions.knock(socket) };
      },
    };
  }
  const { conversationId } = socket.data.guest;
  const context: CallContext = {
    deps,
    socket,
    relay,
    poll: () => peers.pollKey(conversationId),
    others: () =>
      [...peers.presentIn(conversationId).values()].filter(({ id }) => id !== socket.data.peerId),
  };
  const roomHandlers = createRoomHandlers(context, peers);
  if (socket.data.role === "supervisor") {
    const { chat: _chat, ...reading } = roomHandlers;
    const watching = { ...reading, ...createSupervisorHandlers(context) };
    return withDeadline(socket, deps.times.helloMs, watching);
  }
  return withDeadline(socket, deps.times.helloMs, {
    ...roomHandlers,
    ...createCallHandlers(context),
    ...createHostHandlers(context),
  });
}

function createRoomHandlers(
  { deps, socket, poll, others }: CallContext,
  peers: Pick<Peers, "onBack">,
): SocketHandlers {
  const { guest } = socket.data;
  const { conversationId } = guest;
  return {
    hello: async (value): Promise<RoomHello> => {
      await requireToken(deps, socket);
      const resume = value["resume"] === undefined ? undefined : readUuid(value, "resume");
      const window = readWindow(value);
      const id = await choosePeerId(deps, socket, resume);
      const self = peerOf(socket, id);
      const isKnown = id === resume || id === socket.data.peerId;
      await keepPeersAlive(deps.db, [self], deps.clock.now());
      if (!socket.connected) {
        if (!isKnown && id !== socket.data.peerId) {
          await deletePeer(deps.db, self); // the client never received this id and cannot resume it
        }
        throw problem("conflict", "The connection is closed.");
      }
      socket.data.peerId = id;
      peers.onBack(socket);
      // Subscribe before reading, so no message is lost in between.
      await socket.join(conversationRoom(conversationId));
      deps.publish(`peers:${conversationId}`);
      await poll();
      const messages = await deps.chats.readForGuest(guest, window);
      return {
        self: presentPeer(self),
        peers: others(),
        messages: messages.map(presentRoomMessage),
        isLocked: await deps.isRoomLocked(guest),
      };
    },
    peers: async (): Promise<{ peers: RoomPeer[] }> => {
      requirePeerId(socket.data);
      await requireToken(deps, socket);
      await poll();
      return { peers: others() };
    },
    chat: async (raw) => {
      requirePeerId(socket.data);
      await requireToken(deps, socket);
      const written = { clientKey: readUuid(raw, "clientId"), text: readText(raw) };
      return { message: presentRoomMessage(await deps.chats.writeAsGuest(guest, written)) };
    },
  };
}

function presentRoomMessage(message: ChatMessage): RoomMessage {
  return {
    id: message.id,
    author: message.author,
    participant: message.participant,
    name: message.name,
    text: message.text,
    created: toTimestamp(message.at),
    clientId: message.clientKey,
  };
}

/** Disconnects sockets whose room is closed or whose token has ended, of one room or of all. */
function createTokenCheck(deps: SignallingDeps, namespace: RoomNamespace) {
  return async (conversationId?: number): Promise<void> => {
    const sockets = [...namespace.sockets.values()].filter(
      ({ data }) => conversationId === undefined || data.guest.conversationId === conversationId,
    );
    if (sockets.length === 0) {
      return;
    }
    const rooms = new Map(sockets.map(({ data: { guest } }) => [guest.conversationId, guest]));
    const open = await deps.chats.findOpen([...rooms.values()]);
    for (const socket of sockets) {
      if (open.has(socket.data.guest.conversationId)) {
        await endIfInvalid(deps, socket);
      } else {
        endSocket(socket, "room");
      }
    }
  };
}
