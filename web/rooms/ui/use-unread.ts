import { useEffect, useState } from "react";
import { createTabMemory } from "../../shared/tab-memory.ts";
import type { ChatEntry } from "../room.ts";
import { countUnread, newestId } from "./unread.ts";

/** Messages since the chat was last open in this tab, also before a reload. */
export function useUnread(messages: readonly ChatEntry[], isOpen: boolean): number {
  const newest = newestId(messages);
  const [seen] = useState(() => createTabMemory<number>(`chat-seen ${location.pathname}`));
  const [seenId, setSeenId] = useState(() => seen.read() ?? newest);
  if (isOpen && newest > seenId) {
    setSeenId(newest);
  }
  useEffect(() => seen.keep(seenId), [seen, seenId]);
  return isOpen ? 0 : countUnread(messages, seenId);
}
