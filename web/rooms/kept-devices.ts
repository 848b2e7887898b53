/** What a person has switched off or paused stays so over a reload and a new join. */
import { createTabMemory } from "../shared/tab-memory.ts";
import type { LocalMedia, Room } from "./room.ts";

export type WantedDevices = Readonly<{ camera: boolean; microphone: boolean; isPaused: boolean }>;

export type KeptDevices = Readonly<{
  /** As they were last in the call; at first all. */
  wanted(): WantedDevices;
  /** Keeps each change of this room. */
  follow(room: Pick<Room, "view" | "subscribe">): () => void;
  forget(): void;
}>;

const all: WantedDevices = { camera: true, microphone: true, isPaused: false };

export function createKeptDevices(key: string): KeptDevices {
  const memory = createTabMemory<WantedDevices>(key);
  let wanted = memory.read() ?? all;
  return {
    wanted: () => wanted,
    follow: (room) => {
      let seen: LocalMedia | undefined;
      return room.subscribe(() => {
        const { phase, local } = room.view();
        // Outside the call, and while the browser asks, the person has switched nothing off.
        if (phase === "in-call" && !local.isAsking && local !== seen) {
          seen = local;
          const { isCameraOn, isMicOn, isPaused, cameraFault, micFault } = local;
          wanted = {
            camera: isCameraOn || cameraFault !== undefined,
            microphone: isMicOn || micFault !== undefined,
            isPaused,
          };
          memory.keep(wanted);
        }
      });
    },
    forget: () => {
      wanted = all;
      memory.forget();
    },
  };
}
