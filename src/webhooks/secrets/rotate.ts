/** The next secret, or the next key pair, of a subscription, inside a transaction. */
import { invalidParameter, problem } from "../../contracts/problems.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Trx } from "../../platform/db/pool.ts";
import type { Ids } from "../../platform/ids.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { entryOf, type Actor, type Audit } from "../audit.ts";
import { changeSubscription } from "../changes.ts";
import { maskedValue } from "../custom-headers.ts";
import { checkSecret, newSecret } from "../signing-secret.ts";
import { newKeyPair } from "./key-pair.ts";
import { rotated, signingAt } from "./rotation.ts";

export type RotationDeps = {
  secretBox: SecretBox;
  ids: Pick<Ids, "bytes">;
  clock: Clock;
  audit: Audit;
};

/** Of which subscription, and by whom. */
type Subject = { author: Actor; id: number };

/** `overlapHours`: how long the old ones sign beside the new one. `secret`: one of the client's. */
export type RotateSecretInput = { overlapHours: number; secret?: string };
export type RotateKeyInput = { overlapHours: number };

/** Answers the new secret. It is not shown again. */
export async function rotateSecret(
  trx: Trx,
  { secretBox, ids, clock, audit }: RotationDeps,
  subject: Subject,
  { overlapHours, secret: given }: RotateSecretInput,
): Promise<string> {
  const secret = given === undefined ? newSecret(ids.bytes) : checkSecret(given);
  const now = clock.now();
  await changeSubscription(trx, secretBox, { ...subject, reason: "secret rotated" }, (before) => {
    if (signingAt(before.secrets, now).some((one) => one.secret === secret)) {
      const detail = "This secret signs already: a rotation needs another one.";
      throw invalidParameter("secret", "duplicate", detail);
    }
    const secrets = rotated(before.secrets, { secret, until: null }, { now, overlapHours });
    return { settings: before, signing: { secrets } };
  });
  const changes = {
    secret: { from: maskedValue, to: maskedValue },
    overlapHours: { to: overlapHours },
  };
  await audit.write(trx, entryOf(subject.author, subject.id, { action: "rotate", changes }));
  return secret;
}

/** Makes a new key pair. Throws the problem of a subscription that does not sign with one. */
export async function rotateKey(
  trx: Trx,
  { secretBox, ids, clock, audit }: RotationDeps,
  subject: Subject,
  { overlapHours }: RotateKeyInput,
): Promise<void> {
  const next = newKeyPair(ids.bytes);
  let from: string | undefined;
  await changeSubscription(trx, secretBox, { ...subject, reason: "key rotated" }, (before) => {
    if (!before.signatures.includes("v1a")) {
      throw problem("conflict", 'This webhook has no key: its signatures do not include "v1a".');
    }
    from = before.keys[0]?.publicKey;
    const keys = rotated(before.keys, next, { now: clock.now(), overlapHours });
    return { settings: before, signing: { keys } };
  });
  const changes = {
    publicKey: { ...(from === undefined ? {} : { from }), to: next.publicKey },
    overlapHours: { to: overlapHours },
  };
  await audit.write(trx, entryOf(subject.author, subject.id, { action: "rotate", changes }));
}
