import { useRef } from "react";
import type { RoomView } from "../../rooms/room.ts";

/** How many messages there were when each file was shared, by its id. */
export type FilePositions = ReadonlyMap<number, number>;

/** Files are announced without a time, so their position is stored on arrival. */
export function useFilePositions({ shared, messages }: RoomView): FilePositions {
  const positions = useRef(new Map<number, number>());
  for (const { mediaId } of shared) {
    if (!positions.current.has(mediaId)) {
      positions.current.set(mediaId, messages.length);
    }
  }
  return positions.current;
}
