/** The screen of the room is loaded while the person reads the name card. */
import type { ComponentType } from "react";
import { mayLoadLater } from "../base/load-files.ts";
import type { RoomScreenProps } from "./room/room-screen.tsx";

type RoomScreenModule = Readonly<{ default: ComponentType<RoomScreenProps> }>;

const maxPauseMs = 8_000;

let pending: Promise<RoomScreenModule> | undefined;

export function loadRoomScreen(): Promise<RoomScreenModule> {
  pending ??= loadPatiently(500);
  return pending;
}

/** A connection that is lost comes back: it is tried until the file is there. */
async function loadPatiently(pauseMs: number): Promise<RoomScreenModule> {
  try {
    const { RoomScreen } = await import("./room/room-screen.tsx");
    return { default: RoomScreen };
  } catch (thrown) {
    if (!mayLoadLater(thrown)) {
      location.reload(); // the platform was updated since the page was opened
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
    return loadPatiently(Math.min(2 * pauseMs, maxPauseMs));
  }
}
