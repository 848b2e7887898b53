/**
 * In: a message of a page or the server for other pages in the same room.
 * Out: the message at each of them, in order: directly in this process, through a row and a wake-up
 * in other processes.
 * Guarantee: messages that one process sends to a room arrive in the order of sending. Pointers
 * have no row and may be lost; the next one follows within 50 ms.
 * On crash: the pages of the crashed process reconnect and negotiate again.
 */
import type { Socket } from "socket.io";
import type { RoomPeer, ServerToRoom } from "../../contracts/room-messages.ts";
import type { RoomRef } from "../../contracts/rooms.ts";
import { createKeyedMutex } from "../../platform/concurrency/async.ts";
import type { SignallingDeps } from "../ports.ts";
import type { Roster } from "../roster.ts";
import { createTail, type Tail } from "../tail.ts";
import { insertSignal, lastSignalId, type Recipients, tailSignals } from "./signal-store.ts";
import { endParticipation, type RoomNamespace, type RoomSocket, socketsInRoom } from "./socket.ts";

/** Types that are relayed unchanged. Chat and presence have separate feeds. */
export type RelayedType = keyof Pick<
  ServerToRoom,
  "signal" | "command" | "result" | "pointer" | "board" | "shared" | "record" | "lock" | "left"
>;

export type RelayedMessage<Type extends RelayedType = RelayedType> = Readonly<{
  type: Type;
  payload: Parameters<ServerToRoom[Type]>[0];
}>;

export type Relay = Readonly<{
  /** To one page; no effect if it has left. */
  toPeer(room: RoomRef, peerId: string, message: RelayedMessage): Promise<void>;
  /** To all pages in the room; `except` is the sender's peer id. */
  toRoom(room: RoomRef, except: string | null, message: RelayedMessage): Promise<void>;
  /** A message stored by another process: enterprise, id, sending process. */
  onSignal(ids: readonly string[]): void;
  /** A pointer from a page of another process. */
  onPointer(words: readonly string[]): void;
  tail: Pick<Tail, "poll" | "ready">;
}>;

type RelayDeps = Pick<SignallingDeps, "db" | "clock" | "ids" | "publish">;

type RelaySources = Readonly<{
  roster: Pick<Roster<RoomPeer>, "presentIn">;
  /** Enterprises of this process's pages. */
  enterprises(): readonly number[];
}>;

export function createRelay(
  { db, clock, ids, publish }: RelayDeps,
  namespace: RoomNamespace,
  { roster, enterprises }: RelaySources,
): Relay {
  const origin = ids.uuid();
  const inOrder = createKeyedMutex();

  const emitHere = (room: RoomRef, to: Recipients, message: RelayedMessage): number =>
    emitTo(socketsOf(namespace, room), to, message);

  const emitElsewhere = (room: RoomRef, to: Recipients, message: RelayedMessage): Promise<void> =>
    inOrder(room.conversationId, async () => {
      const { enterpriseId, conversationId } = room;
      const signal = { enterpriseId, conversationId, origin, to, ...message };
      const id = await insertSignal(db, signal, clock.now());
      publish(`signal:${enterpriseId}:${id}:${origin}`);
    });

  /** Peers whose connection another process holds. */
  const remotePeers = (room: RoomRef): RoomPeer[] => {
    const here = new Set(socketsOf(namespace, room).map(({ data }) => data.peerId));
    return [...roster.presentIn(room.conversationId).values()].filter(({ id }) => !here.has(id));
  };

  const tail = createTail({
    read: (query) => tailSignals(db, query, { exceptOrigin: origin }),
    last: () => lastSignalId(db),
    enterprises,
    orderingKey: ({ conversationId }) => String(conversationId),
    emit: async ({ to, type, payload, ...signal }) => {
      emitHere(signal, to, { type, payload } as RelayedMessage);
    },
    nowMs: () => performance.now(),
  });

  return {
    toPeer: async (room, peer, message) => {
      if (emitHere(room, { peer }, message) === 0) {
        await emitElsewhere(room, { peer }, message);
      }
    },
    toRoom: async (room, except, message) => {
      emitHere(room, { except }, message);
      if (remotePeers(room).length === 0) {
        return;
      }
      if (isPointer(message)) {
        publish(presentPointer(room, message.payload));
      } else {
        await emitElsewhere(room, { except }, message);
      }
    },
    onSignal: ([enterpriseId, id, sender]) => {
      if (sender !== origin) {
        tail.onWakeup(Number(enterpriseId), Number(id));
      }
    },
    onPointer: (words) => {
      const { room, payload } = parsePointer(words);
      const isOwn = socketsOf(namespace, room).some(({ data }) => data.peerId === payload.from);
      if (!isOwn) {
        emitHere(room, { except: payload.from }, { type: "pointer", payload });
      }
    },
    tail,
  };
}

/** Out: the number of receivers. */
function emitTo(
  sockets: readonly RoomSocket[],
  to: Recipients,
  { type, payload }: RelayedMessage,
): number {
  const receivers = sockets.filter(({ data }) =>
    "peer" in to ? data.peerId === to.peer : data.peerId !== to.except,
  );
  for (const socket of receivers) {
    if (type === "left") {
      endParticipation(socket);
    }
    // TypeScript cannot correlate `type` and `payload`; `RelayedMessage` already does.
    (socket as Pick<Socket, "emit">).emit(type, payload);
  }
  return receivers.length;
}

function isPointer(
  message: RelayedMessage,
): message is { type: "pointer"; payload: PointerPayload } {
  return message.type === "pointer";
}

/** Pages in the room whose `hello` succeeded. */
function socketsOf(
  namespace: RoomNamespace,
  { enterpriseId, conversationId }: RoomRef,
): RoomSocket[] {
  return socketsInRoom(namespace, conversationId).filter(
    ({ data }) => data.guest.enterpriseId === enterpriseId,
  );
}

/**
 * Encodes a pointer position in a wake-up topic. Pages send ten per second and each replaces the
 * previous one: not worth a row and a read. Pure.
 */
type PointerPayload = Parameters<ServerToRoom["pointer"]>[0];

/** Finer than one pixel of any picture. */
const scale = 100_000;

const hidden = "-";

/** `pointer:3:12:<id of the page, without dashes>:25000:50000`: at most 90 characters. */
export function presentPointer(
  { enterpriseId, conversationId }: RoomRef,
  { from, point }: PointerPayload,
): string {
  const place = point === null ? [hidden] : [point.x, point.y].map((at) => Math.round(at * scale));
  return ["pointer", enterpriseId, conversationId, from.replaceAll("-", ""), ...place].join(":");
}

/** In: the topic's parts after `pointer`. */
export function parsePointer([
  enterpriseId,
  conversationId,
  from = "",
  x,
  y,
]: readonly string[]): Readonly<{ room: RoomRef; payload: PointerPayload }> {
  return {
    room: { enterpriseId: Number(enterpriseId), conversationId: Number(conversationId) },
    payload: {
      from: from.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5"),
      point: x === hidden ? null : { x: Number(x) / scale, y: Number(y) / scale },
    },
  };
}
