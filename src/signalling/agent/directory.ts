/** Colleagues, and who of them is there. */
import type { DirectoryEntry } from "../../contracts/signalling.ts";
import { listColleagues } from "../directory-store.ts";
import type { SignallingDeps } from "../ports.ts";
import type { Present, Roster } from "../roster.ts";
import { listPresent } from "../presence-store.ts";
import {
  enterpriseRoom,
  socketsIn,
  viewerOf,
  whoIs,
  type AgentNamespace,
  type AgentSocket,
} from "./socket.ts";

/** A user who is online. */
export type Online = Readonly<{ userId: number }>;

export async function readOnline(
  { db, clock, times }: SignallingDeps,
  enterpriseIds: readonly number[],
): Promise<ReadonlyMap<number, Present<Online>>> {
  const moment = { now: clock.now(), goneMs: times.goneMs };
  const online = new Map<number, Map<string, Online>>();
  for (const { enterpriseId, userId, state } of await listPresent(db, enterpriseIds, moment)) {
    if (state === "online") {
      const present = online.get(enterpriseId) ?? new Map<string, Online>();
      online.set(enterpriseId, present.set(String(userId), { userId }));
    }
  }
  return online;
}

export async function directoryOf(
  deps: SignallingDeps,
  socket: AgentSocket,
  roster: Roster<Online>,
): Promise<DirectoryEntry[]> {
  await refresh(deps, socket);
  const online = roster.presentAt(socket.data.presence.enterpriseId);
  return [...socket.data.directory.users.values()].map((user) => ({
    ...user,
    state: online.has(String(user.id)) ? "online" : "offline",
  }));
}

/** Tells everybody of an enterprise here which of the colleagues that they see came or left. */
export async function tellPresence(
  deps: SignallingDeps,
  namespace: AgentNamespace,
  enterpriseId: number,
  { came, left }: Readonly<{ came: readonly Online[]; left: readonly Online[] }>,
): Promise<void> {
  const time = deps.clock.now().toISOString();
  for (const socket of socketsIn(namespace, enterpriseRoom(enterpriseId))) {
    if (mayBeNew(socket, [...came, ...left])) {
      await refresh(deps, socket).catch(() => undefined);
    }
    const { users: known } = socket.data.directory;
    const seen = (changed: readonly Online[]) =>
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
function mayBeNew({ data }: AgentSocket, users: readonly Online[]): boolean {
  return (
    performance.now() - data.directory.readAtMs > refreshAfterMs &&
    users.some(({ userId }) => userId !== data.presence.userId && !data.directory.users.has(userId))
  );
}

/** Reads whom the user sees, and remembers it with the socket. */
async function refresh(deps: SignallingDeps, socket: AgentSocket): Promise<void> {
  const users = await listColleagues(deps.db, viewerOf(await whoIs(deps, socket)));
  socket.data.directory = {
    readAtMs: performance.now(),
    users: new Map(users.map((user) => [user.id, user])),
  };
}
