import { createHash, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../platform/secret-box.ts";
import type { Conference } from "./conference.ts";

/** The room's name is as unique as its row, and known before the row is. */
const placeOf = (roomName: string): string => `conference password ${roomName}`;

export const sealPassword = (box: SecretBox, roomName: string, password: string): Buffer =>
  box.seal(password, placeOf(roomName));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** True where the conference has no password, or it is this one. */
export const isPasswordRight = (
  box: SecretBox,
  { passwordSealed, roomName }: Pick<Conference, "passwordSealed" | "roomName">,
  given: string | undefined,
): boolean =>
  passwordSealed === null ||
  timingSafeEqual(digest(box.open(passwordSealed, placeOf(roomName))), digest(given ?? ""));
