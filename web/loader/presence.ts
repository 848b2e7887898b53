/** Presence of colleagues. Pure. */
import type {
  DirectoryEntry,
  PresenceChange,
  PresenceState,
} from "../../src/contracts/signalling.ts";
import type { CallbackParams } from "./types.ts";

type Update = CallbackParams["updatePresence"];

export type Directory = Readonly<{
  users(): readonly DirectoryEntry[];
  /** Replaces the directory. Returns one update for arrivals and one for departures. */
  replace(users: readonly DirectoryEntry[], time: string): Update[];
  /** Applies a change. Returns the update for the host; undefined if nothing changed. */
  change(change: PresenceChange): Update | undefined;
}>;

export function createDirectory(): Directory {
  const known = new Map<number, DirectoryEntry>();

  // oxlint-disable-next-line unicorn/no-array-sort -- toSorted is younger than agents' browsers
  const sorted = (): DirectoryEntry[] => [...known.values()].sort(byName);

  const connected = () =>
    sorted()
      .filter(({ state }) => state === "online")
      .map(({ id, nickname }) => ({ id, nickname }));

  const updateOf = (state: PresenceState, time: string): Update => ({
    eventType: "presence",
    time,
    connectedUsersList: connected(),
    state,
  });

  return {
    users: sorted,
    replace: (users, time) => {
      const before = new Map(known);
      const isNow = (state: PresenceState) => (user: DirectoryEntry) =>
        user.state === state && (before.get(user.id)?.state ?? "offline") !== state;
      known.clear();
      users.forEach((user) => known.set(user.id, user));
      const left = [...before.values()].some(
        ({ id, state }) => state === "online" && known.get(id)?.state !== "online",
      );
      return [
        ...(users.some(isNow("online")) ? [updateOf("online", time)] : []),
        ...(left ? [updateOf("offline", time)] : []),
      ];
    },
    change: ({ users, state, time }) => {
      const changed = users.filter(({ id }) => (known.get(id)?.state ?? "offline") !== state);
      changed.forEach(({ id, nickname }) => known.set(id, { id, nickname, state }));
      return changed.length === 0 ? undefined : updateOf(state, time);
    },
  };
}

function byName(a: DirectoryEntry, b: DirectoryEntry): number {
  return a.nickname.localeCompare(b.nickname) || a.id - b.id;
}
