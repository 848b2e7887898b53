/** The screen of the room is loaded while the person reads the name card. */
import type { ComponentType } from "react";
import { backoffMs } from "../base/backoff.ts";
import { wait } from "../shared/wait.ts";
import { mayLoadLater } from "../base/load-files.ts";
import type { RoomScreenProps } from "./room/room-screen.tsx";

type RoomScreenModule = Readonly<{ default: ComponentType<RoomScreenProps> }>;

let pending: Promise<RoomScreenModule> | undefined;

export function loadRoomScreen(): Promise<RoomScreenModule> {
  pending ??= loadPatiently();
  return pending;
}

/** Retries until the file is loaded, because a lost connection recovers. */
async function loadPatiently(failures = 1): Promise<RoomScreenModule> {
  try {
    const { RoomScreen } = await import("./room/room-screen.tsx");
    return { default: RoomScreen };
  } catch (thrown) {
    if (!mayLoadLater(thrown)) {
      location.reload(); // the platform was updated since the page was opened
    }
    await wait(backoffMs(failures, { firstMs: 500, maxMs: 8_000 }));
    return loadPatiently(failures + 1);
  }
}
