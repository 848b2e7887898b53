import { createHmac, timingSafeEqual } from "node:crypto";
import { toUnixSeconds } from "../platform/timestamps.ts";
import { maskedValue } from "../contracts/request-headers.ts";

/** A request as it arrived: the body in the exact bytes that were sent. */
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

/** How far a request's timestamp may be from now, as receivers' libraries have it. */
const toleranceSeconds = 300;

function isFresh(timestamp: string, now: Date): boolean {
  return (
    /^\d{1,12}$/u.test(timestamp) &&
    Math.abs(toUnixSeconds(now) - Number(timestamp)) <= toleranceSeconds
  );
}

/** Names and values in turn order, as they came over the wire. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What the sender's software says of the request, and what the signature is made of. */
const unmaskedNames =
  /^(?:host|user-agent|date|connection|accept|accept-(?:charset|encoding|language)|content-(?:type|length)|webhook-.+)$/iu;

/**
 * Masks headers that the subscriber defined: anybody with the address of the inbox can read them.
 */
export function maskHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, unmaskedNames.test(name) ? value : maskedValue]);
}
