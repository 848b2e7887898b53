import { createHmac, timingSafeEqual } from "node:crypto";
import { toUnixSeconds } from "../platform/timestamps.ts";
import { maskedValue } from "../contracts/request-headers.ts";

/** A received request; the body has the exact bytes that were sent. */
export type SignedRequest = {
  id: string | undefined;
  timestamp: string | undefined;
  signature: string | undefined;
  body: Buffer;
};

const prefix = "whsec_";

/**
 * Independent implementation of Standard Webhooks, so that a bug in the signer is not mirrored
 * here.
 */
export function isVerified(
  { id, timestamp, signature, body }: SignedRequest,
  secrets: readonly string[],
  now: Date,
): boolean {
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return false;
  }
  const input = signature
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice("v1,".length), "base64"));
  const expected = secrets.map((secret) =>
    createHmac("sha256", Buffer.from(secret.replace(prefix, ""), "base64"))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest(),
  );
  const isSigned = expected.some((mac) => input.some((one) => isEqual(one, mac)));
  return isSigned && isFresh(timestamp, now);
}

function isEqual(input: Buffer, expected: Buffer): boolean {
  return input.length === expected.length && timingSafeEqual(input, expected);
}

/** Maximum distance of the timestamp from now, as in common receiver libraries. */
const toleranceSeconds = 300;

function isFresh(timestamp: string, now: Date): boolean {
  return (
    /^\d{1,12}$/u.test(timestamp) &&
    Math.abs(toUnixSeconds(now) - Number(timestamp)) <= toleranceSeconds
  );
}

/** Names and values in the order on the wire. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Headers that the sender generates, and the headers of the signature. */
const unmaskedNames =
  /^(?:host|user-agent|date|connection|accept|accept-(?:charset|encoding|language)|content-(?:type|length)|webhook-.+)$/iu;

/** Masks custom headers: anybody with the address of the inbox can read them. */
export function maskHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, unmaskedNames.test(name) ? value : maskedValue]);
}
