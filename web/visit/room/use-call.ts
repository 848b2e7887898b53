/** Enters the room, leads to the next screen after it, and keeps the parent page informed. */
import { useEffect } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { useWakeLock } from "../../rooms/ui/use-wake-lock.ts";
import { postToParent } from "../../shared/parent-frame.ts";
import { keptDevices } from "../kept-visit.ts";
import type { VisitControl } from "../use-visit.ts";
import { screenAfterCall } from "../visit-screen.ts";

export function useCall(visit: VisitControl, room: Room, view: RoomView): void {
  useEffect(() => {
    let isHere = true;
    void enter(room, () => isHere);
    const unfollow = keptDevices.follow(room);
    return () => {
      isHere = false;
      unfollow();
    };
  }, [room]);
  const next = screenAfterCall(view);
  const { go, closeRoom } = visit;
  useEffect(() => {
    if (next !== undefined) {
      postToParent({ type: next === "closed" ? "ended" : "left" });
      closeRoom(); // camera and microphone go off
      go(next);
    }
  }, [next, go, closeRoom]);
  const isInCall = view.phase === "in-call";
  useEffect(() => {
    if (isInCall) {
      postToParent({ type: "joined" });
    }
  }, [isInCall]);
  useWakeLock(isInCall);
}

async function enter(room: Room, isHere: () => boolean): Promise<void> {
  if (room.view().local.stream === undefined) {
    const { isPaused, ...wanted } = keptDevices.wanted();
    await room.setPaused(isPaused); // before there is anything to send
    await room.reopenDevices(wanted);
  }
  if (isHere()) {
    room.connect();
    await room.join();
  }
}
