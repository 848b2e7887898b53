import { createHash, timingSafeEqual } from "node:crypto";
import { createKeyedMutex } from "../platform/concurrency/async.ts";
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

/** `isWrong` tells from the result of `check` that the password was wrong. */
type GuardedCheck<Result> = Readonly<{
  check: () => Promise<Result>;
  isWrong?: (result: Result) => boolean;
}>;

export type PasswordGuard = {
  /**
   * Runs the check and counts a wrong password. Throws without running it after too many wrong
   * passwords of this client for this room. Without a password, nothing is limited or counted.
   */
  run<Result>(attempt: PasswordAttempt, check: GuardedCheck<Result>): Promise<Result>;
};

function isPasswordFault(thrown: unknown): boolean {
  return thrown instanceof Problem && thrown.details === "Parameter password";
}

/**
 * Checks the passwords of one client for one room one at a time, so that parallel guesses do not
 * exceed the limit. Counting each one before its check and refunding right ones would refuse right
 * passwords: of a group that enters from one address at the same moment, and in processes whose
 * copy of the count lacks the refunds.
 */
export function createPasswordGuard(wrong: WrongPasswords): PasswordGuard {
  const oneAtATime = createKeyedMutex<string>();

  const runCounted = async <Result>(
    key: string,
    { check, isWrong = () => false }: GuardedCheck<Result>,
  ): Promise<Result> => {
    const verdict = await wrong.peek(key);
    if (!verdict.isAllowed) {
      throw rateLimited(verdict, "Too many wrong passwords.");
    }
    try {
      const result = await check();
      if (isWrong(result)) {
        await wrong.take(key);
      }
      return result;
    } catch (thrown) {
      if (isPasswordFault(thrown)) {
        await wrong.take(key);
      }
      throw thrown;
    }
  };

  return {
    run: (attempt, check) => {
      if (attempt.password === undefined) {
        return check.check();
      }
      const key = attemptKey(attempt);
      return oneAtATime(key, () => runCounted(key, check));
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
