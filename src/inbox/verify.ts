import { createHmac, timingSafeEqual } from "node:crypto";
import { toUnixSeconds } from "../platform/timestamps.ts";

/** A request as it arrived: the body in the exact bytes that were sent. */
export type SignedRequest = {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
  body: Buffer;
};

const prefix = "whsec_";

/**
 * Whether one of the secrets signed the request (Standard Webhooks, `v1`): what a receiver does
 * before it believes anything in a body. Written against the standard, not shared with the code
 * that signs, so that the two cannot be wrong in the same way.
 */
export function isVerified(
  { id, timestamp, signature, body }: SignedRequest,
  secrets: readonly string[],
  now: Date,
): boolean {
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return false;
  }
  const given = signature
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice("v1,".length), "base64"));
  const expected = secrets.map((secret) =>
    createHmac("sha256", Buffer.from(secret.replace(prefix, ""), "base64"))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest(),
  );
  const isSigned = expected.some((mac) => given.some((one) => isEqual(one, mac)));
  return isSigned && isFresh(timestamp, now);
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** How far a request's timestamp may be from now, as receivers' libraries have it. */
const toleranceSeconds = 300;

function isFresh(timestamp: string, now: Date): boolean {
  return (
    /^\d{1,12}$/u.test(timestamp) &&
    Math.abs(toUnixSeconds(now) - Number(timestamp)) <= toleranceSeconds
  );
}
