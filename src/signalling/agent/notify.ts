/** Emits messages and presence changes to the sockets of this process that may read them. */
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

/** Recipients: all pages of the ticket's agent, and every page that has the box open. */
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

/** Closes the box if access was lost, for example because the ticket was reassigned. */
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

/** Recipients: all pages of the sender and of the recipient. */
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

/**
 * Checks all sockets before the caller emits: if a check fails, no socket has the message and a
 * retry is safe.
 */
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

/** Problem kinds that mean "no access". Any other failure is rethrown, so the tail retries. */
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

/**
 * Emits presence changes to the enterprise's sockets, limited to the colleagues each user may see.
 */
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

/**
 * Whether the cached directory is stale and misses one of the users, who may be a new colleague.
 */
function mayBeNew({ data }: AgentSocket, users: readonly OnlineUser[]): boolean {
  return (
    performance.now() - data.directory.readAtMs > refreshAfterMs &&
    users.some(({ userId }) => userId !== data.presence.userId && !data.directory.users.has(userId))
  );
}

/** Reloads the socket's cached directory. */
async function refresh(deps: SignallingDeps, socket: AgentSocket): Promise<void> {
  const users = await listColleagues(deps.db, viewerOf(await requireUser(deps, socket)));
  socket.data.directory = {
    readAtMs: performance.now(),
    users: new Map(users.map((user) => [user.id, user])),
  };
}
