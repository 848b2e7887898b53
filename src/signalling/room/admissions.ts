/**
 * In: changes of waiting rooms (wake-ups of any process, and a periodic poll).
 * Out: the waiting list to hosts, and the admission status to each waiting guest of this process.
 * Guarantee: an admitted guest gets a token, even if the wake-up was lost.
 * On crash: pages reconnect to another process, knock again, and get the same answer.
 */
import type { AdmissionStatus, WaitingPerson } from "../../contracts/room-messages.ts";
import { isModerator } from "../../contracts/signalling.ts";
import { coalesce } from "../../platform/concurrency/async.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { SignallingDeps } from "../ports.ts";
import type { RoomNamespace, RoomSocket } from "./socket.ts";

export type AdmissionsFeed = Readonly<{
  /** Whether this process has hosts or waiting guests of the room. */
  concerns(conversationId: number): boolean;
  poll(): Promise<void>;
  /** Requests admission. Out: the current status; later changes arrive as `admission`. */
  knock(socket: RoomSocket): Promise<AdmissionStatus>;
}>;

const tokenMs = 12 * 3_600_000;

export function createAdmissionsFeed(
  deps: SignallingDeps,
  namespace: RoomNamespace,
): AdmissionsFeed {
  const { rooms, publish } = deps;
  /** The last sent list as JSON, by conversation: unchanged lists are not sent again. */
  const sentLists = new Map<number, string>();
  const knocking = new Map<RoomSocket, AdmissionStatus>();

  const hosts = (): RoomSocket[] =>
    [...namespace.sockets.values()].filter(
      ({ data: { peerId, role } }) =>
        peerId !== undefined && role !== "waiting" && isModerator(role),
    );

  const sendLists = async (): Promise<void> => {
    const byRoom = groupByConversation(hosts());
    const lists = await rooms.listWaitingIn([...byRoom.values()].map(([first]) => guestOf(first)));
    for (const [conversationId, sockets] of byRoom) {
      const people = (lists.get(conversationId) ?? []).map(presentWaiting);
      const text = JSON.stringify(people);
      if (text !== (sentLists.get(conversationId) ?? "[]")) {
        sockets.forEach((socket) => socket.emit("waiting", { people }));
      }
      sentLists.set(conversationId, text);
    }
    [...sentLists.keys()].filter((id) => !byRoom.has(id)).forEach((id) => sentLists.delete(id));
  };

  const sendAdmissions = async (): Promise<void> => {
    const sockets = [...knocking.keys()];
    const found = await rooms.findAdmissions(sockets.map(guestOf));
    for (const [index, socket] of sockets.entries()) {
      const status = toStatus(found[index] ?? "none");
      if (knocking.has(socket) && knocking.get(socket) !== status) {
        knocking.set(socket, status);
        await sendAdmission(deps, socket, status);
      }
    }
  };

  return {
    concerns: (conversationId) =>
      [...hosts(), ...knocking.keys()].some(
        ({ data }) => data.guest.conversationId === conversationId,
      ),
    poll: coalesce(async () => {
      if (hosts().length > 0) {
        await sendLists();
      }
      if (knocking.size > 0) {
        await sendAdmissions();
      }
    }),
    knock: async (socket) => {
      const status = toStatus(await rooms.requestAdmission(guestOf(socket)));
      keepWhileConnected(knocking, socket, status);
      publish(`admissions:${guestOf(socket).conversationId}`);
      if (status === "admitted") {
        await sendAdmission(deps, socket, status);
      }
      return status;
    },
  };
}

/** A socket that left meanwhile is not kept: no event would ever remove it. */
function keepWhileConnected(
  knocking: Map<RoomSocket, AdmissionStatus>,
  socket: RoomSocket,
  status: AdmissionStatus,
): void {
  if (!socket.connected) {
    return;
  }
  if (!knocking.has(socket)) {
    socket.once("disconnect", () => knocking.delete(socket));
  }
  knocking.set(socket, status);
}

/** An admitted guest gets a participant token, and the page reconnects with it. */
async function sendAdmission(
  { issueRoomToken, clock }: SignallingDeps,
  socket: RoomSocket,
  status: AdmissionStatus,
): Promise<void> {
  if (status !== "admitted") {
    socket.emit("admission", { status });
    return;
  }
  const guest = { ...guestOf(socket), role: "participant" } as const;
  const token = await issueRoomToken(guest, new Date(clock.now().getTime() + tokenMs));
  socket.emit("admission", { status, token });
}

function groupByConversation(
  sockets: readonly RoomSocket[],
): Map<number, readonly [RoomSocket, ...RoomSocket[]]> {
  const groups = new Map<number, readonly [RoomSocket, ...RoomSocket[]]>();
  for (const socket of sockets) {
    const { conversationId } = guestOf(socket);
    const group = groups.get(conversationId);
    groups.set(conversationId, group === undefined ? [socket] : [...group, socket]);
  }
  return groups;
}

function guestOf({ data }: RoomSocket) {
  return data.guest;
}

/** A missing request means that the room is over. */
function toStatus(state: AdmissionStatus | "none"): AdmissionStatus {
  return state === "none" ? "over" : state;
}

export function presentWaiting(
  person: Readonly<{ participant: string; name: string; askedAt: Date }>,
): WaitingPerson {
  return { participant: person.participant, name: person.name, since: toTimestamp(person.askedAt) };
}
