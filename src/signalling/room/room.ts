/**
 * The namespace `/rtc`: people in the room of a conversation. Who is connected, and the chat; what
 * a call needs besides is more entries in the table of handlers.
 */
import type { Namespace, Server, Socket } from "socket.io";
import { problem } from "../../contracts/problems.ts";
import type { Peer, RoomMessage, ServerToRoom } from "../../contracts/signalling.ts";
import { peerRoles, type PeerRole } from "../../contracts/signalling.ts";
import type { Guest } from "../../http/route.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { answer, letIn, logFault, type ClientMessages, type Handlers } from "../answering.ts";
import { limited, originOf, roomTokenOf } from "../caller.ts";
import { lastChat, tailChat } from "../chat-store.ts";
import { readText, readUuid, readWindow } from "../given.ts";
import { beatPeers, countPeers, deletePeer, listPeers, resumePeer } from "../peer-store.ts";
import type { ChatMessage, SignallingDeps } from "../ports.ts";
import { createRoster, type Roster } from "../roster.ts";
import type { Side } from "../side.ts";
import { createTail } from "../tail.ts";

export type RoomData = {
  guest: Guest;
  role: PeerRole;
  token: string;
  /** Set by `hello`. */
  peerId: string | undefined;
};

export type RoomSocket = Socket<ClientMessages, ServerToRoom, object, RoomData>;
type RoomNamespace = Namespace<ClientMessages, ServerToRoom, object, RoomData>;

/** Pages that one participant may have open at the same time. */
const mostConnections = 10;

const placeOf = (conversationId: number): string => `conversation:${conversationId}`;
const peerRoom = (peerId: string): string => `peer:${peerId}`;

const presentRoomMessage = (message: ChatMessage): RoomMessage => ({
  id: message.id,
  author: message.author,
  name: message.name,
  text: message.text,
  created: toTimestamp(message.at),
  clientId: message.clientKey,
});

const roleOf = (guest: Guest): PeerRole => {
  const role = peerRoles.find((known) => known === guest.role);
  if (role === undefined) {
    throw problem("forbidden", "Who waits to be let in hears nothing of the room.");
  }
  return role;
};

const admit = async (deps: SignallingDeps, socket: RoomSocket): Promise<void> => {
  const token = roomTokenOf(socket);
  const guest = await limited(deps, socket, async () =>
    token === undefined ? undefined : deps.verifyRoomToken(token),
  );
  const origin = originOf(socket);
  if (origin !== undefined && origin !== new URL(deps.baseUrl).origin) {
    throw problem("forbidden", `Rooms are not opened by pages of ${origin}.`);
  }
  const role = roleOf(guest);
  await deps.chats.readForGuest(guest, { limit: 1 }); // gone where the room is over
  const data: RoomData = { guest, role, token: token ?? "", peerId: undefined };
  Object.assign(socket.data, data);
};

const selfOf = ({ data: { role, guest } }: RoomSocket, id: string): Peer => ({
  id,
  role,
  name: guest.name.slice(0, 128),
});

/** The id of this connection: the one that it had a moment ago, or a new one. */
const enter = async (
  deps: SignallingDeps,
  { data: { guest } }: RoomSocket,
  resume: string | undefined,
): Promise<string> => {
  const { db, clock, ids, times } = deps;
  const { enterpriseId, conversationId, participant } = guest;
  const place = { enterpriseId, conversationId, participant };
  const moment = { now: clock.now(), goneMs: times.goneMs };
  if (resume !== undefined && (await resumePeer(db, { id: resume, ...place }, moment))) {
    return resume;
  }
  if ((await countPeers(db, place, moment)) >= mostConnections) {
    throw problem("quota_reached", `There are ${mostConnections} pages of you open already.`);
  }
  return ids.uuid();
};

const toRoomPeer = (socket: RoomSocket, id: string) => {
  const { enterpriseId, conversationId, participant } = socket.data.guest;
  return { ...selfOf(socket, id), enterpriseId, conversationId, participant };
};

const requirePeer = ({ data: { peerId } }: RoomSocket): string => {
  if (peerId === undefined) {
    throw problem("conflict", "Say hello first.");
  }
  return peerId;
};

const createHandlers = (
  deps: SignallingDeps,
  socket: RoomSocket,
  roster: Roster<Peer>,
): Handlers => {
  const { guest } = socket.data;
  const { conversationId } = guest;
  const others = (): Peer[] =>
    [...roster.presentAt(conversationId).values()].filter(({ id }) => id !== socket.data.peerId);
  return {
    hello: async (given) => {
      const resume = given["resume"] === undefined ? undefined : readUuid(given, "resume");
      const window = readWindow(given);
      const id = socket.data.peerId ?? (await enter(deps, socket, resume));
      socket.data.peerId = id;
      await beatPeers(deps.db, [toRoomPeer(socket, id)], deps.clock.now());
      // First, so that nothing falls between what is read and what is told.
      await socket.join([placeOf(conversationId), peerRoom(id)]);
      deps.tell(`peers:${conversationId}`);
      await roster.look();
      const messages = await deps.chats.readForGuest(guest, window);
      return {
        self: selfOf(socket, id),
        peers: others(),
        messages: messages.map(presentRoomMessage),
      };
    },
    peers: async () => {
      requirePeer(socket);
      await roster.look();
      return { peers: others() };
    },
    chat: async (given) => {
      requirePeer(socket);
      const written = { clientKey: readUuid(given, "clientId"), text: readText(given) };
      return { message: presentRoomMessage(await deps.chats.writeAsGuest(guest, written)) };
    },
  };
};

const writing: ReadonlySet<string> = new Set(["chat"]);

const welcome = (deps: SignallingDeps, socket: RoomSocket, roster: Roster<Peer>): void => {
  const { enterpriseId, conversationId } = socket.data.guest;
  const ids = {
    namespace: "/rtc",
    enterprise_id: enterpriseId,
    conversation_id: conversationId,
    role: socket.data.role,
  };
  deps.metrics.connected("/rtc", 1);
  deps.log.debug(ids, "signalling.connected");
  answer(deps, socket, createHandlers(deps, socket, roster), writing);
  socket.on("disconnect", (reason: string) => {
    const { peerId } = socket.data;
    deps.metrics.connected("/rtc", -1);
    deps.log.debug({ ...ids, reason }, "signalling.disconnected");
    // Whoever is lost keeps the place for a while; who leaves on purpose does not.
    if (peerId !== undefined && reason.endsWith("namespace disconnect")) {
      deletePeer(deps.db, { id: peerId, enterpriseId }).then(
        () => deps.tell(`peers:${conversationId}`),
        (thrown: unknown) => logFault(deps, ids, thrown),
      );
    }
  });
};

const createTokenCheck =
  ({ verifyRoomToken }: SignallingDeps, namespace: RoomNamespace) =>
  async (): Promise<void> => {
    for (const socket of namespace.sockets.values()) {
      if ((await verifyRoomToken(socket.data.token)) === undefined) {
        socket.emit("over", { reason: "token" });
        socket.disconnect();
      }
    }
  };

const readPeers = async (
  { db, clock, times }: SignallingDeps,
  places: readonly number[],
): Promise<Map<number, Map<string, Peer>>> => {
  const found = new Map<number, Map<string, Peer>>();
  const moment = { now: clock.now(), goneMs: times.goneMs };
  for (const { conversationId, ...peer } of await listPeers(db, places, moment)) {
    const present = found.get(conversationId) ?? new Map<string, Peer>();
    found.set(conversationId, present.set(peer.id, peer));
  }
  return found;
};

export const createRoomSide = (deps: SignallingDeps, io: Server): Side => {
  const namespace: RoomNamespace = io.of("/rtc");
  const { db, clock } = deps;
  const all = (): RoomSocket[] => [...namespace.sockets.values()];
  const inside = (): RoomSocket[] => all().filter(({ data }) => data.peerId !== undefined);
  const places = (): number[] => [
    ...new Set(inside().map(({ data }) => data.guest.conversationId)),
  ];
  const chat = createTail({
    read: (ask) => tailChat(db, ask),
    last: () => lastChat(db),
    enterprises: () => [...new Set(all().map(({ data }) => data.guest.enterpriseId))],
    emit: async (message) => {
      const { conversationId } = message;
      namespace.to(placeOf(conversationId)).emit("chat", presentRoomMessage(message));
    },
    nowMs: () => performance.now(),
  });
  const roster = createRoster<Peer>({
    places,
    read: (wanted) => readPeers(deps, wanted),
    onChange: async (conversationId, { came, left }) => {
      const tell = (type: "peer-joined" | "peer-left", peer: Peer): void => {
        namespace.to(placeOf(conversationId)).except(peerRoom(peer.id)).emit(type, peer);
      };
      came.forEach((peer) => tell("peer-joined", peer));
      left.forEach((peer) => tell("peer-left", peer));
    },
  });
  letIn(deps, namespace, (socket) => admit(deps, socket));
  namespace.on("connection", (socket) => {
    welcome(deps, socket, roster);
    void chat.ready().catch(() => undefined);
  });
  return {
    hint: (word, [first = "", second = ""]) => {
      if (word === "chat") {
        chat.hint(Number(first), Number(second));
      } else if (word === "peers" && places().includes(Number(first))) {
        void roster.look().catch(() => undefined);
      }
    },
    beat: async () => {
      const peers = inside().map((socket) => toRoomPeer(socket, socket.data.peerId ?? ""));
      if (peers.length > 0) {
        await beatPeers(db, peers, clock.now());
      }
    },
    looks: [roster.look, chat.look],
    checkTokens: createTokenCheck(deps, namespace),
  };
};
