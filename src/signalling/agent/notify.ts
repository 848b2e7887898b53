/** What was written, to those of this process whom it is for. */
import type { BoxMessage, DirectoryEntry } from "../../contracts/signalling.ts";
import { toProblem } from "../../http/answer.ts";
import type { ChatNotification } from "../chat-store.ts";
import { type DirectMessage, listColleagues } from "../colleague-store.ts";
import type { SignallingDeps } from "../ports.ts";
import { closeBox, presentChat, presentDirect } from "./boxes.ts";
import {
  conversationRoom,
  readingScope,
  socketsIn,
  userRoom,
  type AgentNamespace,
  type AgentSocket,
  enterpriseRoom,
  viewerOf,
  requireUser,
} from "./socket.ts";
import type { PresentEntries, Roster } from "../roster.ts";
import { listPresentUsers } from "../presence-store.ts";

/** To the ticket's agent, whether the box is open or not, and to whoever has it open. */
export async function notifyChat(
  deps: SignallingDeps,
  namespace: AgentNamespace,
  message: ChatNotification,
): Promise<void> {
  const { ticketId, agentId, conversationId } = message;
  if (ticketId === null) {
    return;
  }
  const events: BoxMessage = presentChat(message, ticketId);
  const agents = agentId === null ? [] : socketsIn(namespace, userRoom(agentId));
  const concerned = new Set([...agents, ...socketsIn(namespace, conversationRoom(conversationId))]);
  const readers = await filterAllowed(concerned, (socket) => mayStillRead(deps, socket, ticketId));
  readers.forEach((socket) => socket.emit("message", events));
}

/** A ticket may have gone to somebody else since the box was opened: then the box is over. */
export async function mayStillRead(
  deps: SignallingDeps,
  socket: AgentSocket,
  ticketId: number,
): Promise<boolean> {
  const may = await isGranted(async () =>
    deps.chats.get(await readingScope(deps, socket), { ticketId }),
  );
  if (!may) {
    await closeBox(socket, { kind: "ticket", destId: ticketId });
  }
  return may;
}

/** To both of the two, on all their pages. */
export async function notifyDirect(
  deps: SignallingDeps,
  namespace: AgentNamespace,
  message: DirectMessage,
): Promise<void> {
  const { recipientId, senderId } = message;
  const both = [recipientId, senderId].flatMap((id) => socketsIn(namespace, userRoom(id)));
  const readers = await filterAllowed(both, (socket) =>
    isGranted(() => readingScope(deps, socket)),
  );
  for (const socket of readers) {
    socket.emit("message", presentDirect(message, socket.data.presence.userId));
  }
}

/** Those who may be told, all of them asked before the first one is told. */
async function filterAllowed(
  sockets: Iterable<AgentSocket>,
  may: (socket: AgentSocket) => Promise<boolean>,
): Promise<AgentSocket[]> {
  const found: AgentSocket[] = [];
  for (const socket of sockets) {
    if (await may(socket)) {
      found.push(socket);
    }
  }
  return found;
}

/** What keeps somebody from reading. All else is a fault of ours: nobody is told then, yet. */
const refusals: ReadonlySet<string> = new Set([
  "bad_token",
  "feature_off",
  "forbidden",
  "not_found",
]);

async function isGranted(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (thrown) {
    if (refusals.has(toProblem(thrown).kind)) {
      return false;
    }
    throw thrown;
  }
}

/** A user who is online. */
export type OnlineUser = Readonly<{ userId: number }>;

export async function readOnline(
  { db, clock, times }: SignallingDeps,
  enterpriseIds: readonly number[],
): Promise<ReadonlyMap<number, PresentEntries<OnlineUser>>> {
  const context = { now: clock.now(), goneMs: times.goneMs };
  const online = new Map<number, Map<string, OnlineUser>>();
  for (const { enterpriseId, userId, state } of await listPresentUsers(
    db,
    enterpriseIds,
    context,
  )) {
    if (state === "online") {
      const present = online.get(enterpriseId) ?? new Map<string, OnlineUser>();
      online.set(enterpriseId, present.set(String(userId), { userId }));
    }
  }
  return online;
}

export async function readDirectory(
  deps: SignallingDeps,
  socket: AgentSocket,
  roster: Roster<OnlineUser>,
): Promise<DirectoryEntry[]> {
  await refresh(deps, socket);
  const online = roster.presentIn(socket.data.presence.enterpriseId);
  return [...socket.data.directory.users.values()].map((user) => ({
    ...user,
    state: online.has(String(user.id)) ? "online" : "offline",
  }));
}

/** Tells everybody of an enterprise here which of the colleagues that they see came or left. */
export async function notifyPresence(
  deps: SignallingDeps,
  namespace: AgentNamespace,
  enterpriseId: number,
  { came, left }: Readonly<{ came: readonly OnlineUser[]; left: readonly OnlineUser[] }>,
): Promise<void> {
  const time = deps.clock.now().toISOString();
  for (const socket of socketsIn(namespace, enterpriseRoom(enterpriseId))) {
    if (mayBeNew(socket, [...came, ...left])) {
      await refresh(deps, socket).catch(() => undefined);
    }
    const { users: known } = socket.data.directory;
    const seen = (changed: readonly OnlineUser[]) =>
      changed.flatMap(({ userId }) => known.get(userId) ?? []);
    for (const [state, changed] of [
      ["online", seen(came)],
      ["offline", seen(left)],
    ] as const) {
      if (changed.length > 0) {
        socket.emit("presence", { time, state, users: changed });
      }
    }
  }
}

const refreshAfterMs = 60_000;

/** A colleague whom the socket does not know may be a new one. */
function mayBeNew({ data }: AgentSocket, users: readonly OnlineUser[]): boolean {
  return (
    performance.now() - data.directory.readAtMs > refreshAfterMs &&
    users.some(({ userId }) => userId !== data.presence.userId && !data.directory.users.has(userId))
  );
}

/** Reads whom the user sees, and remembers it with the socket. */
async function refresh(deps: SignallingDeps, socket: AgentSocket): Promise<void> {
  const users = await listColleagues(deps.db, viewerOf(await requireUser(deps, socket)));
  socket.data.directory = {
    readAtMs: performance.now(),
    users: new Map(users.map((user) => [user.id, user])),
  };
}
