/** Which changes in the room the customer is notified of. Pure. */
import type { CameraState } from "../../../src/contracts/room-messages.ts";
import type { RoomView } from "../../rooms/room.ts";
import type { TextKey } from "../text-key.ts";

export type ChangeNote = Readonly<{
  note: TextKey;
  /** Of a photo that was taken. */
  mediaId?: number;
}>;

type Expected = Readonly<{ isMuteExpected: boolean; isFileExpected: boolean }>;

type Watched = Pick<RoomView, "local" | "shared" | "self" | "board">;

export function noteOfChange(
  last: Watched,
  now: Watched,
  expected: Expected,
): ChangeNote | undefined {
  return (
    noteOfPhoto(last, now, expected) ??
    noteOfBoard(last, now) ??
    noteOfMute(last, now, expected) ??
    noteOfCamera(last, now)
  );
}

function noteOfPhoto(
  last: Watched,
  now: Watched,
  { isFileExpected }: Expected,
): ChangeNote | undefined {
  if (isFileExpected) {
    return undefined;
  }
  const known = new Set(last.shared.map(({ mediaId }) => mediaId));
  const photo = now.shared.find(
    ({ mediaId, from }) => from === now.self?.id && !known.has(mediaId),
  );
  return photo && { note: "note_photo", mediaId: photo.mediaId };
}

function noteOfBoard(last: Watched, now: Watched): ChangeNote | undefined {
  const isOpened = now.board !== undefined && now.board.mediaId !== last.board?.mediaId;
  return isOpened ? { note: "note_board" } : undefined;
}

function noteOfMute(last: Watched, now: Watched, expected: Expected): ChangeNote | undefined {
  const isMuted = last.local.isMicOn && !now.local.isMicOn && now.local.micFault === undefined;
  return isMuted && !expected.isMuteExpected ? { note: "note_muted" } : undefined;
}

function noteOfCamera(last: Watched, now: Watched): ChangeNote | undefined {
  const before = last.self?.state.camera;
  const after = now.self?.state.camera;
  if (!before || !after || before.facing !== after.facing) {
    return undefined; // another camera has its own light and zoom
  }
  if (before.isTorchOn !== after.isTorchOn) {
    return { note: after.isTorchOn === true ? "note_torch_on" : "note_torch_off" };
  }
  return isZoomed(before, after) ? { note: "note_zoom" } : undefined;
}

function isZoomed(before: CameraState, after: CameraState): boolean {
  return before.zoom?.value !== after.zoom?.value;
}
