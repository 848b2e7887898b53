/** A photo from the customer's camera; if that fails, from the received video. */
import type { CommandResult } from "../../../../src/contracts/room-messages.ts";
import type { PeerView, Room } from "../../../rooms/room.ts";

export type TakenPhoto =
  | Readonly<{ kind: "taken"; mediaId: number }>
  /** From the video: of lower resolution. */
  | Readonly<{ kind: "fallback"; mediaId: number }>
  | Readonly<{ kind: "refused"; reason: "denied" | "paused" | "failed" }>;

/** The device itself falls back to its video after 5 s, and then uploads the photo. */
const photoPatienceMs = 8_000;

type PhotoRoom = Pick<Room, "command" | "sendFile">;

/** @param grab a frame of the received video; undefined where there is none */
export async function takePhoto(
  room: PhotoRoom,
  customer: PeerView,
  grab: () => Promise<Blob | undefined>,
): Promise<TakenPhoto> {
  const asked = room.command(customer.id, { name: "snapshot" });
  const result = await Promise.race([asked, late()]);
  if (result?.ok === true && result.mediaId !== undefined) {
    return { kind: "taken", mediaId: result.mediaId };
  }
  const reason = reasonOf(result);
  if (reason === "denied" || reason === "paused") {
    return { kind: "refused", reason };
  }
  const frame = await grab();
  const mediaId =
    frame === undefined ? undefined : await room.sendFile(frame, `photo-${Date.now()}.jpg`);
  return mediaId === undefined
    ? { kind: "refused", reason: "failed" }
    : { kind: "fallback", mediaId };
}

function late(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), photoPatienceMs);
  });
}

function reasonOf(result: CommandResult | undefined): string | undefined {
  return result?.ok === false ? result.reason : undefined;
}
