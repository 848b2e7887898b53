/** The one view of a room, and who is notified of its changes: once for many at the same time. */
import { initialPeerState } from "../../src/contracts/room-messages.ts";
import type { LocalMedia, RoomView } from "./room.ts";

export type Store = Readonly<{
  view(): RoomView;
  subscribe(listener: () => void): () => void;
  update(change: Partial<RoomView>): void;
  updateLocal(change: Partial<LocalMedia>): void;
  /** Nobody is notified any more. */
  close(): void;
}>;

export function createStore(): Store {
  const listeners = new Set<() => void>();
  let view = initialView;
  let isNotifying = false;
  const notify = (): void => {
    if (isNotifying) {
      return;
    }
    isNotifying = true;
    queueMicrotask(() => {
      isNotifying = false;
      for (const listener of listeners) {
        listener();
      }
    });
  };
  const update = (change: Partial<RoomView>): void => {
    view = { ...view, ...change };
    notify();
  };
  return {
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    update,
    updateLocal: (change) => update({ local: { ...view.local, ...change } }),
    close: () => listeners.clear(),
  };
}

const initialView: RoomView = {
  connection: "connecting",
  overReason: undefined,
  phase: "outside",
  leaveReason: undefined,
  joinFault: undefined,
  self: undefined,
  peers: [],
  isWatched: false,
  local: {
    stream: undefined,
    screen: undefined,
    isAsking: false,
    isMicOn: initialPeerState.isMicOn,
    isCameraOn: initialPeerState.isCameraOn,
    isPaused: initialPeerState.isPaused,
    cameraFault: undefined,
    micFault: undefined,
    quality: initialPeerState.quality,
  },
  messages: [],
  pointer: undefined,
  board: undefined,
  recording: { state: "off", by: undefined },
  isSavingRecording: false,
  waiting: [],
  admission: undefined,
  isLocked: false,
  position: undefined,
  shared: [],
  notice: undefined,
};
