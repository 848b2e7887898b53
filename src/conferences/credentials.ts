import { createHash, timingSafeEqual } from "node:crypto";
import { type SecretBox, tryOpen } from "../platform/secret-box.ts";
import type { Conference } from "./model.ts";
import { Problem } from "../contracts/problems.ts";
import { rateLimited, type RateLimiter } from "../http/rate-limit.ts";

export function sealPassword(box: SecretBox, roomName: string, password: string): Buffer {
  return box.seal(password, passwordContext(roomName));
}

/** Undecryptable: with the platform's key nobody can know whether a candidate is correct. */
export type ConferencePassword = Readonly<
  { kind: "none" | "undecryptable" } | { kind: "set"; digest: Buffer }
>;

export function openPassword(
  box: SecretBox,
  { passwordSealed, roomName }: Pick<Conference, "passwordSealed" | "roomName">,
): ConferencePassword {
  if (passwordSealed === null) {
    return { kind: "none" };
  }
  const password = tryOpen(box, passwordSealed, passwordContext(roomName));
  return password === undefined
    ? { kind: "undecryptable" }
    : { kind: "set", digest: digest(password) };
}

/** Why the candidate does not admit a guest; null if it does. */
export function passwordRefusal(
  password: ConferencePassword,
  candidate: string | undefined,
): "password" | "undecryptable" | null {
  switch (password.kind) {
    case "none":
      return null;
    case "undecryptable":
      return "undecryptable";
    case "set":
      return timingSafeEqual(password.digest, digest(candidate ?? "")) ? null : "password";
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/**
 * Associated data of the sealed password. Uses the room name, which is unique and known before the
 * row exists.
 */
function passwordContext(roomName: string): string {
  return `conference password ${roomName}`;
}

/** The counter of wrong passwords. */
export type WrongPasswords = Pick<RateLimiter, "peek" | "take">;

/** An attempt of a client to enter a room. */
export type PasswordAttempt = Readonly<{
  who: string;
  room: string | number;
  password: string | undefined;
}>;

export type PasswordGuard = {
  /** Throws after too many wrong passwords of this client for this room. */
  require(attempt: PasswordAttempt): Promise<void>;
  /** Counts a wrong password. A missing one does not count. */
  count(attempt: PasswordAttempt): Promise<void>;
};

export function isPasswordFault(thrown: unknown): boolean {
  return thrown instanceof Problem && thrown.details === "Parameter password";
}

export function createPasswordGuard(wrong: WrongPasswords): PasswordGuard {
  return {
    require: async (attempt) => {
      if (attempt.password === undefined) {
        return;
      }
      const verdict = await wrong.peek(attemptKey(attempt));
      if (!verdict.isAllowed) {
        throw rateLimited(verdict, "Too many wrong passwords.");
      }
    },
    count: async (attempt) => {
      if (attempt.password !== undefined) {
        await wrong.take(attemptKey(attempt));
      }
    },
  };
}

function attemptKey({ room, who }: PasswordAttempt): string {
  return `conference:${room}:${who}`;
}

/**
 * The token in `sso_url`: admits its user as the organizer or moderator of one conference. It is
 * sealed, not stored. It expires with the conference, or when the user is no longer its organizer
 * or moderator.
 */
export function issueLinkToken(box: SecretBox, conference: Conference): string {
  return box
    .seal(String(conference.moderator.id), linkTokenContext(conference))
    .toString("base64url");
}

/** Longer tokens are rejected without opening them. */
const maxTokenLength = 200;

/** The user of the token; undefined if it is invalid. */
export function userOfLinkToken(
  box: SecretBox,
  conference: Conference,
  token: string,
): number | undefined {
  // Undefined if it is forged, damaged, or of another conference.
  const text =
    token.length <= maxTokenLength
      ? tryOpen(box, Buffer.from(token, "base64url"), linkTokenContext(conference))
      : undefined;
  const userId = text === undefined ? undefined : Number(text);
  const { organizer, moderator } = conference;
  return userId === organizer.id || userId === moderator.id ? userId : undefined;
}

function linkTokenContext({ roomName }: Pick<Conference, "roomName">): string {
  return `conference link ${roomName}`;
}
