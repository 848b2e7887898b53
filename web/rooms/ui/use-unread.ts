import { useState } from "react";
import type { ChatEntry } from "../room.ts";
import { countUnread, newestId } from "./unread.ts";

/** Messages since the chat was last open. Those from before this person came do not count. */
export function useUnread(messages: readonly ChatEntry[], isOpen: boolean): number {
  const newest = newestId(messages);
  const [seenId, setSeenId] = useState(newest);
  if (isOpen && newest > seenId) {
    setSeenId(newest);
  }
  return isOpen ? 0 : countUnread(messages, seenId);
}
