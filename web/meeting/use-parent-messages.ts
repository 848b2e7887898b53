import { useEffect, useRef } from "react";
import { postToParent } from "../shared/parent-frame.ts";
import type { RoomView } from "../rooms/room.ts";
import type { Screen } from "./screen.ts";

/** Reports events to the embedding page. */
export function useParentMessages(screen: Screen, { phase }: RoomView): void {
  const wasInCall = useRef(false);
  const isInCall = phase === "in-call";
  useEffect(() => {
    if (isInCall && !wasInCall.current) {
      wasInCall.current = true;
      postToParent({ type: "joined" });
    } else if (wasInCall.current && (phase === "left" || phase === "outside")) {
      wasInCall.current = false;
      postToParent({ type: "left" });
    }
  }, [isInCall, phase]);
  const isEnded = screen === "ended";
  useEffect(() => {
    if (isEnded) {
      postToParent({ type: "ended" });
    }
  }, [isEnded]);
}
