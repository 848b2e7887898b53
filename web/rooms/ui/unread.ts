/** How many messages a person has not seen. Pure. */
import type { ChatEntry } from "../room.ts";

type Message = Pick<ChatEntry, "id" | "isOwn">;

export function countUnread(messages: readonly Message[], seenId: number): number {
  return messages.filter(({ id, isOwn }) => !isOwn && id > seenId).length;
}

/** The id of the newest message; drafts have none. */
export function newestId(messages: readonly Message[]): number {
  return messages.reduce((newest, { id }) => Math.max(newest, id), 0);
}
