import { useMemo, useSyncExternalStore } from "react";
import type { LocalMedia, Room, RoomView } from "../room.ts";

/**
 * Like `useRoom`, but without the level of the microphone, which changes ten times per second: a page
 * with many tiles need not be rendered for it.
 */
export function useSteadyRoom(room: Room): RoomView {
  const view = useMemo(() => steadyView(room), [room]);
  return useSyncExternalStore(room.subscribe, view);
}

function steadyView(room: Room): () => RoomView {
  let shown = room.view();
  return () => {
    const next = room.view();
    if (!isSame(shown, next)) {
      shown = next;
    }
    return shown;
  };
}

function isSame(before: RoomView, now: RoomView): boolean {
  const hasOnlyLevel = isSameLocal(before.local, now.local);
  return (
    before === now ||
    (hasOnlyLevel &&
      Object.keys(now).every(
        (key) => key === "local" || isEqual(before, now, key as keyof RoomView),
      ))
  );
}

function isSameLocal(before: LocalMedia, now: LocalMedia): boolean {
  return Object.keys(now).every(
    (key) => key === "level" || isEqual(before, now, key as keyof LocalMedia),
  );
}

function isEqual<T>(before: T, now: T, key: keyof T): boolean {
  return Object.is(before[key], now[key]);
}
