/** Encrypts what a subscription stores, and decrypts it. */
import { webhookNotFound } from "../contracts/problems.ts";
import {
  keysAad,
  secretsAad,
  type SigningKeyPair,
  type SigningSecret,
} from "../contracts/subscriptions.ts";
import type { Queryable } from "../platform/db/pool.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { SigningKeys, Subscription } from "./model.ts";
import type { SealAad } from "./settings/setting.ts";
import { settings, type SettingColumns, type SubscriptionSettings } from "./settings/table.ts";
import { findSubscription, type StoredChange, type StoredSubscription } from "./store.ts";

type SealOwner = { id: number; enterpriseId: number };

/** The new state of a subscription. Secrets and keys left out keep their stored values. */
export type SubscriptionChange = { settings: SubscriptionSettings; signing?: Partial<SigningKeys> };

/** Throws if the platform's key does not open a sealed setting. */
export function openSubscription(box: SecretBox, stored: StoredSubscription): Subscription {
  const { settings: row, secretSealed, keysSealed, ...rest } = stored;
  return {
    ...rest,
    ...openSettings(box, stored, row),
    secrets: openSigners(box, secretSealed, aadOf(secretsAad, stored)) as SigningSecret[],
    keys: openSigners(box, keysSealed, aadOf(keysAad, stored)) as SigningKeyPair[],
  };
}

function openSettings(box: SecretBox, owner: SealOwner, row: SettingColumns): SubscriptionSettings {
  return Object.fromEntries(
    settings.map(({ property, column, defaultValue, aad }) => {
      const value = row[column];
      const open = (seal: SealAad): unknown =>
        openJson(box, value as Buffer | null, aadOf(seal, owner)) ?? defaultValue;
      return [property, aad === undefined ? value : open(aad)];
    }),
  ) as SubscriptionSettings;
}

/** Empty if the platform's key does not open them: a rotation then makes new ones. */
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
export function sealChange(
  box: SecretBox,
  owner: SealOwner,
  { settings: after, signing = {} }: SubscriptionChange,
  disabledReason: string | null,
): StoredChange {
  return {
    settings: sealSettings(box, owner, after),
    ...sealSigning(box, owner, signing),
    disabledReason,
  };
}

function sealSettings(
  box: SecretBox,
  owner: SealOwner,
  plain: SubscriptionSettings,
): SettingColumns {
  return Object.fromEntries(
    settings.map(({ property, column, aad }) => {
      const value = plain[property];
      return [column, aad === undefined ? value : sealJson(box, value, aadOf(aad, owner))];
    }),
  ) as SettingColumns;
}

function sealSigning(
  box: SecretBox,
  owner: SealOwner,
  { secrets, keys }: Partial<SigningKeys>,
): Partial<Pick<StoredChange, "secretSealed" | "keysSealed">> {
  return {
    ...(secrets === undefined
      ? {}
      : { secretSealed: box.seal(JSON.stringify(secrets), aadOf(secretsAad, owner)) }),
    ...(keys === undefined ? {} : { keysSealed: sealJson(box, keys, aadOf(keysAad, owner)) }),
  };
}

/** Null for a value that is null or an empty list. */
function sealJson(box: SecretBox, value: unknown, aad: string): Buffer | null {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? null : box.seal(JSON.stringify(value), aad);
}

function aadOf(aad: SealAad, { enterpriseId, id }: SealOwner): string {
  return aad(enterpriseId, id);
}

/** A subscription of the enterprise that is not deleted. Throws `not_found` otherwise. */
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
