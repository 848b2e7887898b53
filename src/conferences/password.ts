import { createHash, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Conference } from "./conference.ts";

export function sealPassword(box: SecretBox, roomName: string, password: string): Buffer {
  return box.seal(password, placeOf(roomName));
}

/** True where the conference has no password, or it is this one. */
export function isPasswordRight(
  box: SecretBox,
  { passwordSealed, roomName }: Pick<Conference, "passwordSealed" | "roomName">,
  given: string | undefined,
): boolean {
  return (
    passwordSealed === null ||
    timingSafeEqual(digest(box.open(passwordSealed, placeOf(roomName))), digest(given ?? ""))
  );
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The room's name is as unique as its row, and known before the row is. */
function placeOf(roomName: string): string {
  return `conference password ${roomName}`;
}
