import { useSyncExternalStore } from "react";
import type { Room, RoomView } from "../room.ts";

/** The view of a room; the component renders again whenever it changes. */
export function useRoom(room: Room): RoomView {
  return useSyncExternalStore(room.subscribe, room.view);
}
