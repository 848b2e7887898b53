/** Rotates the secret or the key pair of a subscription, inside a transaction. */
import { invalidParameter, problem } from "../contracts/problems.ts";
import type { Clock } from "../platform/clock.ts";
import type { Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { AuditLog } from "../contracts/audit.ts";
import { auditEntryOf, type Actor } from "../http/authorize.ts";
import { changeSubscription } from "./changes.ts";
import { maskedValue } from "../contracts/request-headers.ts";
import {
  checkSecret,
  newSecret,
  newKeyPair,
  rotate,
  validAt,
  secretField,
  defaultOverlapHours,
  maxOverlapHours,
} from "./signing-keys.ts";
import type { JsonSchema } from "../http/route.ts";

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
      const detail = "This secret signs already: a rotation needs another one.";
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
