import { useState } from "react";
import type { RoomView } from "../../rooms/room.ts";
import { countUnread, newestId } from "./unread.ts";

/** Messages since the chat was last open. Those from before this person came do not count. */
export function useUnread({ messages }: RoomView, isOpen: boolean): number {
  const [seenId, setSeenId] = useState(() => newestId(messages));
  const newest = newestId(messages);
  if (isOpen && newest > seenId) {
    setSeenId(newest);
  }
  return isOpen ? 0 : countUnread(messages, seenId);
}
