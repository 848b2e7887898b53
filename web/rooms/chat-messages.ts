/** The messages of the room's chat, each once, in their order. Pure. */
import type { RoomMessage } from "../../src/contracts/signalling.ts";

/** As the page shows it. */
export type ChatEntry = RoomMessage &
  Readonly<{ isOwn: boolean; state: "sending" | "sent" | "failed" }>;

/** Maximum delay with which messages arrive out of order. */
const lateMs = 60_000;

/**
 * Adds messages from the server. One that this page wrote takes the place of its draft, and one that
 * is known already changes nothing. `self`: the participant of this page, whose messages are its own
 * on every page and after a reload.
 */
export function addMessages(
  entries: readonly ChatEntry[],
  messages: readonly RoomMessage[],
  self: string | undefined,
): readonly ChatEntry[] {
  const byId = new Map(entries.filter(({ id }) => id > 0).map((entry) => [entry.id, entry]));
  const drafts = new Set(entries.filter(({ id }) => id <= 0).map(({ clientId }) => clientId));
  for (const message of messages) {
    // A process of an older version stores no participant.
    const isOwn = (message.participant ?? "") === self || drafts.has(message.clientId);
    byId.set(message.id, byId.get(message.id) ?? { ...message, isOwn, state: "sent" });
  }
  // oxlint-disable-next-line unicorn/no-array-sort -- toSorted is younger than customers' browsers
  const stored = [...byId.values()].sort((a, b) => a.id - b.id);
  const storedClientIds = new Set(stored.map(({ clientId }) => clientId));
  const unsent = entries.filter(({ id, clientId }) => id <= 0 && !storedClientIds.has(clientId));
  return [...stored, ...unsent];
}

/** A message that is on its way. Its id is 0 until it is stored. */
export function addDraft(
  entries: readonly ChatEntry[],
  draft: Omit<ChatEntry, "id" | "isOwn" | "state">,
): readonly ChatEntry[] {
  return [...entries, { ...draft, id: 0, isOwn: true, state: "sending" }];
}

export function setDraftState(
  entries: readonly ChatEntry[],
  clientId: string,
  state: "sending" | "failed",
): readonly ChatEntry[] {
  return entries.map((entry) =>
    entry.id === 0 && entry.clientId === clientId ? { ...entry, state } : entry,
  );
}

/**
 * The id up to which the chat is complete; undefined if there is none. Messages can arrive
 * a little out of their order.
 */
export function settledId(entries: readonly ChatEntry[]): number | undefined {
  const stored = entries.filter(({ id }) => id > 0);
  const newest = stored[stored.length - 1];
  if (newest === undefined) {
    return undefined;
  }
  const untilMs = Date.parse(newest.created) - lateMs;
  const settled = stored.filter(({ created }) => Date.parse(created) <= untilMs);
  return settled[settled.length - 1]?.id;
}
