/** The secrets and key pairs that sign webhooks: their form, creation and rotation. */
import { invalidParameter, problem } from "../contracts/problems.ts";
import { createPublicKey } from "node:crypto";
import {
  signingPrefixes,
  type SignatureScheme,
  type SigningKeyPair,
} from "../contracts/subscriptions.ts";
import type { Clock } from "../platform/clock.ts";
import { ed25519PrivateKey } from "../platform/ed25519.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { AuditLog } from "../contracts/audit.ts";
import { auditEntryOf, type Actor } from "../http/authorize.ts";
import { changeSubscription } from "./changes.ts";
import { maskedValue } from "../contracts/request-headers.ts";
import type { JsonSchema } from "../http/route.ts";

const minBytes = 24;

const maxBytes = 64;

const four = "[A-Za-z0-9+/]{4}";

const oneByte = "[A-Za-z0-9+/][AQgw]==";

const twoBytes = "[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=";

/** The schema of a secret in a body; the pattern accepts the same as `checkSecret`. */
export const secretField = {
  type: "string",
  maxLength: 128,
  pattern: `^${signingPrefixes.secret}(${four}){8,20}(${four}|${twoBytes}|${oneByte}|${four}${oneByte})?$`,
  rule: `${signingPrefixes.secret} followed by base64 of ${minBytes} to ${maxBytes} bytes`,
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
} as const;

/** During the overlap after a rotation, old secrets and keys sign as well. */
const maxOverlapHours = 168;

const defaultOverlapHours = 24;

/** `until` (ISO 8601) is null for what has no end. */
type Expiring = { until: string | null };

export type RotationDeps = {
  secretBox: SecretBox;
  ids: Pick<Ids, "bytes">;
  clock: Clock;
  audit: AuditLog<Trx>;
};

/** The subscription and the author of the rotation. */
type RotationSubject = { author: Actor; id: number };

/** `overlapHours`: how long the old ones still sign. `secret`: chosen by the client. */
export type RotateSecretInput = { overlapHours: number; secret?: string };

export type RotateKeyInput = { overlapHours: number };

const overlapField = {
  type: "integer",
  minimum: 0,
  maximum: maxOverlapHours,
  default: defaultOverlapHours,
};

export const rotateKeySchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { overlapHours: overlapField },
};

export type RotateKeyBody = RotateKeyInput;

export const rotateSecretSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: { overlapHours: overlapField, secret: secretField },
};

export type RotateSecretBody = RotateSecretInput;

/**
 * The first key pair, when `v1a` is switched on. It is kept when `v1a` is switched off, so that
 * receivers can keep the public key they know.
 */
export function firstKeys(
  before: { signatures: readonly SignatureScheme[]; keys: readonly SigningKeyPair[] },
  signatures: readonly SignatureScheme[],
  bytes: (length: number) => Buffer,
): { keys?: SigningKeyPair[] } {
  return signatures.includes("v1a") &&
    !before.signatures.includes("v1a") &&
    before.keys.length === 0
    ? { keys: [newKeyPair(bytes)] }
    : {};
}

/** Returns the new secret. It is not shown again. */
export async function rotateSecret(
  trx: Trx,
  { secretBox, ids, clock, audit }: RotationDeps,
  subject: RotationSubject,
  { overlapHours, secret: input }: RotateSecretInput,
): Promise<string> {
  const secret = input === undefined ? newSecret(ids.bytes) : checkSecret(input);
  const now = clock.now();
  await changeSubscription(trx, secretBox, { ...subject, reason: "secret rotated" }, (before) => {
    if (validAt(before.secrets, now).some((one) => one.secret === secret)) {
      const detail = "This secret already signs requests: a rotation needs another one.";
      throw invalidParameter("secret", "duplicate", detail);
    }
    const secrets = rotate(before.secrets, { secret, until: null }, { now, overlapHours });
    return { settings: before, signing: { secrets } };
  });
  const changes = {
    secret: { from: maskedValue, to: maskedValue },
    overlapHours: { to: overlapHours },
  };
  await audit.write(trx, auditEntryOf(subject.author, subject.id, { action: "rotate", changes }));
  return secret;
}

const generatedBytes = 32;

/** A secret in the form of Standard Webhooks: `whsec_` and base64. */
export function newSecret(bytes: (length: number) => Buffer): string {
  return signingPrefixes.secret + bytes(generatedBytes).toString("base64");
}

/** Checks a secret that the client chose. */
export function checkSecret(secret: string): string {
  const { secret: prefix } = signingPrefixes;
  const base64 = secret.startsWith(prefix) ? secret.slice(prefix.length) : "";
  const key = Buffer.from(base64, "base64");
  // Non-canonical base64 would make some receivers compute a different key.
  if (key.toString("base64") !== base64 || key.length < minBytes || key.length > maxBytes) {
    const detail = `A secret is ${prefix} followed by base64 of ${minBytes} to ${maxBytes} bytes.`;
    throw invalidParameter("secret", "format", detail);
  }
  return secret;
}

/** Generates a new key pair. Throws if the subscription does not sign with one. */
export async function rotateKey(
  trx: Trx,
  { secretBox, ids, clock, audit }: RotationDeps,
  subject: RotationSubject,
  { overlapHours }: RotateKeyInput,
): Promise<void> {
  const next = newKeyPair(ids.bytes);
  let from: string | undefined;
  await changeSubscription(trx, secretBox, { ...subject, reason: "key rotated" }, (before) => {
    if (!before.signatures.includes("v1a")) {
      throw problem("conflict", 'This webhook has no key: its signatures do not include "v1a".');
    }
    from = before.keys[0]?.publicKey;
    const keys = rotate(before.keys, next, { now: clock.now(), overlapHours });
    return { settings: before, signing: { keys } };
  });
  const changes = {
    publicKey: { ...(from === undefined ? {} : { from }), to: next.publicKey },
    overlapHours: { to: overlapHours },
  };
  await audit.write(trx, auditEntryOf(subject.author, subject.id, { action: "rotate", changes }));
}

const seedBytes = 32;

/** A key pair without an end, in the form of Standard Webhooks. */
export function newKeyPair(bytes: (length: number) => Buffer): SigningKeyPair {
  const seed = bytes(seedBytes);
  const { x = "" } = createPublicKey(ed25519PrivateKey(seed)).export({ format: "jwk" });
  const publicBytes = Buffer.from(x, "base64url");
  return {
    privateKey: `${signingPrefixes.privateKey}${seed.toString("base64")}`,
    publicKey: `${signingPrefixes.publicKey}${publicBytes.toString("base64")}`,
    until: null,
  };
}

/** More would make headers that receivers reject. */
const maxConcurrentSigners = 5;

/**
 * The secrets or keys after a rotation to `next`: the others end with the overlap at the latest, and
 * expired ones are removed. Throws if too many would sign at once.
 */
export function rotate<T extends Expiring>(
  held: readonly T[],
  next: T,
  { now, overlapHours }: { now: Date; overlapHours: number },
): T[] {
  const end = new Date(now.getTime() + overlapHours * 3_600_000);
  const old = held.map((one) => ({ ...one, until: earlier(one.until, end) }));
  const signing = [next, ...validAt(old, now)];
  if (signing.length > maxConcurrentSigners) {
    const detail = `At most ${maxConcurrentSigners} can sign at once. Wait until one expires, or set overlapHours to 0.`;
    throw problem("conflict", detail);
  }
  return signing;
}

function earlier(until: string | null, end: Date): string {
  return until !== null && new Date(until) < end ? until : end.toISOString();
}

/** Those that are not expired. */
export function validAt<T extends Expiring>(held: readonly T[], now: Date): T[] {
  return held.filter(({ until }) => until === null || new Date(until) > now);
}
