/** Enters the room, leads to the next screen after it, and keeps the parent page informed. */
import { useEffect } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { isFramed, postToParent } from "../../shared/parent-frame.ts";
import type { VisitControl } from "../use-visit.ts";
import { screenAfterCall } from "../visit-screen.ts";

export function useCall(visit: VisitControl, room: Room, view: RoomView): void {
  useEffect(() => void enter(room), [room]);
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

async function enter(room: Room): Promise<void> {
  if (room.view().local.stream === undefined) {
    await room.openDevices({ camera: true, microphone: true });
  }
  room.connect();
  await room.join();
}

/** The screen of a phone stays on: a screen that goes off ends the picture. */
function useWakeLock(isActive: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as { wakeLock?: WakeLock };
    // A frame may not, and the browser reports the attempt as a violation.
    if (!isActive || wakeLock === undefined || isFramed()) {
      return undefined;
    }
    let held: WakeLockSentinel | undefined;
    const acquire = async (): Promise<void> => {
      if (document.visibilityState === "visible") {
        held = await wakeLock.request("screen").catch(() => undefined);
      }
    };
    const onVisibility = (): void => void acquire();
    onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      void held?.release();
    };
  }, [isActive]);
}
