/** A subscription in the clear and as the database holds it. */
import {
  certificateAad,
  headersAad,
  keysAad,
  oauth2Aad,
  secretsAad,
  type ClientCertificate,
  type CustomHeader,
  type OAuth2Client,
  type SigningKeyPair,
  type SigningSecret,
} from "../contracts/subscriptions.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { SubscriptionSettings, SigningKeys, Subscription } from "./model.ts";
import { type StoredSettings, type StoredSubscription, findSubscription } from "./store.ts";
import { webhookNotFound } from "../contracts/problems.ts";
import type { Queryable } from "../platform/db/pool.ts";

type SealOwner = { id: number; enterpriseId: number };

/** What a subscription becomes. Secrets and keys that are not given stay as they are stored. */
export type SubscriptionChange = { settings: SubscriptionSettings; signing?: Partial<SigningKeys> };

/** Throws where the platform's key does not open what its requests need besides a signature. */
export function openSubscription(box: SecretBox, stored: StoredSubscription): Subscription {
  const { headersSealed, oauth2Sealed, certificateSealed, secretSealed, keysSealed, ...rest } =
    stored;
  const { enterpriseId, id } = stored;
  const openAt = (sealed: Buffer | null, aad: typeof headersAad): unknown =>
    openJson(box, sealed, aad(enterpriseId, id));
  const signersAt = (sealed: Buffer | null, aad: typeof headersAad): unknown =>
    openSigners(box, sealed, aad(enterpriseId, id));
  return {
    ...rest,
    headers: (openAt(headersSealed, headersAad) ?? []) as CustomHeader[],
    oauth2: openAt(oauth2Sealed, oauth2Aad) as OAuth2Client | null,
    clientCertificate: openAt(certificateSealed, certificateAad) as ClientCertificate | null,
    secrets: signersAt(secretSealed, secretsAad) as SigningSecret[],
    keys: signersAt(keysSealed, keysAad) as SigningKeyPair[],
  };
}

/** Empty where the platform's key does not open them: then a rotation makes new ones. */
function openSigners(box: SecretBox, sealed: Buffer | null, aad: string): unknown {
  try {
    return openJson(box, sealed, aad) ?? [];
  } catch {
    return [];
  }
}

function openJson(box: SecretBox, sealed: Buffer | null, aad: string): unknown {
  return sealed === null ? null : JSON.parse(box.open(sealed, aad));
}

/** What a change writes. */
export function sealSettings(
  box: SecretBox,
  owner: SealOwner,
  { settings, signing = {} }: SubscriptionChange,
  disabledReason: string | null,
): StoredSettings {
  const { headers, oauth2, clientCertificate, ...plain } = settings;
  const { id, enterpriseId } = owner;
  return {
    ...plain,
    ...sealSigning(box, owner, signing),
    disabledReason,
    headersSealed: sealList(box, headers, headersAad(enterpriseId, id)),
    oauth2Sealed: sealObject(box, oauth2, oauth2Aad(enterpriseId, id)),
    certificateSealed: sealObject(box, clientCertificate, certificateAad(enterpriseId, id)),
  };
}

function sealSigning(
  box: SecretBox,
  { id, enterpriseId }: SealOwner,
  { secrets, keys }: Partial<SigningKeys>,
): Partial<Pick<StoredSettings, "secretSealed" | "keysSealed">> {
  return {
    ...(secrets === undefined
      ? {}
      : { secretSealed: sealJson(box, secrets, secretsAad(enterpriseId, id)) }),
    ...(keys === undefined ? {} : { keysSealed: sealList(box, keys, keysAad(enterpriseId, id)) }),
  };
}

function sealList(box: SecretBox, list: readonly unknown[], aad: string): Buffer | null {
  return list.length === 0 ? null : sealJson(box, list, aad);
}

function sealObject(box: SecretBox, value: object | null, aad: string): Buffer | null {
  return value === null ? null : sealJson(box, value, aad);
}

function sealJson(box: SecretBox, value: unknown, aad: string): Buffer {
  return box.seal(JSON.stringify(value), aad);
}

/** One of the enterprise's own subscriptions that is not deleted. Throws the problem otherwise. */
export async function requireSubscription(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<StoredSubscription> {
  const found = await findSubscription(db, enterpriseId, id);
  if (found === undefined) {
    throw webhookNotFound(id);
  }
  return found;
}
