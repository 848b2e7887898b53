/**
 * Changes subscriptions inside the caller's transaction. Each change takes the next revision first
 * and records the settings that apply from then on; `takeRevision` defines the lock order.
 * Guarantee: revisions are contiguous and in commit order.
 */
import { problem, webhookNotFound } from "../contracts/problems.ts";
import {
  keysAad,
  secretsAad,
  type SigningKeyPair,
  type SigningSecret,
} from "../contracts/subscriptions.ts";
import type { ChangeAuthor } from "../http/authorize.ts";
import {
  cancelDeliveries,
  pauseDeliveries,
  resumeDeliveries,
} from "../pipeline/ledger/backlog-states.ts";
import { lockHealth } from "../pipeline/ledger/health.ts";
import { releaseStuckSuccessors } from "../pipeline/ledger/release-successors.ts";
import { recordRevision, takeRevision } from "../pipeline/ledger/revisions.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { type SecretBox, tryOpen } from "../platform/secret-box.ts";
import {
  activationChangeOf,
  type EncryptedField,
  maxSubscriptions,
  type SigningKeys,
  type Subscription,
} from "./model.ts";
import type { SealAad } from "./settings/setting.ts";
import { type SettingColumns, settings, type SubscriptionSettings } from "./settings/table.ts";
import {
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  insertSubscription,
  lockSubscription,
  nextSubscriptionId,
  resetHealth,
  type StoredChange,
  type StoredSubscription,
  updateSubscription,
} from "./store.ts";

/**
 * Maximum number of deliveries that a request pauses, resumes or cancels; the schedule processes the
 * rest of a large backlog. Small, because the request holds the health lock, which blocks settling.
 */
const backlogBatch = 1_000;

/** Returns the id of the new subscription. Throws `quota_reached` at the enterprise's limit. */
export async function addSubscription(
  trx: Trx,
  box: SecretBox,
  author: ChangeAuthor,
  added: SubscriptionChange,
): Promise<number> {
  const { enterpriseId, userId } = author;
  const revision = await takeRevision(trx);
  if ((await countSubscriptions(trx, enterpriseId)) >= maxSubscriptions) {
    const detail = `An enterprise has at most ${maxSubscriptions} webhooks.`;
    throw problem("quota_reached", detail);
  }
  const id = await nextSubscriptionId(trx);
  await insertSubscription(trx, {
    ...sealChange(box, { id, enterpriseId }, added, null),
    id,
    enterpriseId,
  });
  await recordRevision(trx, id, revision, { reason: "created", changedBy: userId });
  return id;
}

/** Maximum number of waiting deliveries that a request releases, oldest first; small as above. */
const waitingBatch = 5_000;

const reasonOf: Record<ReturnType<typeof activationChangeOf>, string> = {
  on: "switched on",
  off: "switched off",
  moved: "changed",
  none: "changed",
};

const applyActivation: Record<
  ReturnType<typeof activationChangeOf>,
  (trx: Trx, id: number) => Promise<void>
> = {
  on: async (trx, id) => {
    await resetHealth(trx, id);
    await resumeDeliveries(trx, id, backlogBatch);
  },
  off: async (trx, id) => {
    await pauseDeliveries(trx, id, backlogBatch);
  },
  moved: resetHealth,
  none: async () => undefined,
};

/**
 * Applies `change` to the current subscription. Every change, of a secret too, gets a new revision,
 * which invalidates the workers' caches. Switching off pauses live deliveries. Switching on resumes
 * them and resets the receiver's health; so does, for an active subscription, a new URL or a new
 * value in place of one that cannot be decrypted. When a subscription is no longer ordered,
 * deliveries that wait for a failed one are released.
 */
export async function changeSubscription(
  trx: Trx,
  box: SecretBox,
  { author, id, reason }: { author: ChangeAuthor; id: number; reason?: string },
  change: (before: Subscription) => SubscriptionChange,
): Promise<void> {
  const revision = await takeRevision(trx);
  const stored = await lockSubscription(trx, author.enterpriseId, id);
  if (stored === undefined) {
    throw webhookNotFound(id);
  }
  const before = openSubscription(box, stored);
  const after = change(before);
  const kept = keptOf(before, after);
  const isRepaired = kept.length < before.undecryptable.length;
  const switched = activationChangeOf(before, after.settings, isRepaired);
  // No delivery is enqueued between here and the commit: enqueueing waits for this lock and then
  // reads the new settings.
  await lockHealth(trx, [id]);
  const disabledReason = switched === "on" ? null : before.disabledReason;
  const written = sealChange(box, before, after, disabledReason);
  await updateSubscription(trx, id, {
    ...written,
    settings: { ...written.settings, ...columnsAsStored(stored.settings, kept) },
  });
  await applyActivation[switched](trx, id);
  if (before.isOrdered && !after.settings.isOrdered) {
    await releaseStuckSuccessors(trx, id, { after: 0, limit: waitingBatch });
  }
  await recordRevision(trx, id, revision, {
    reason: reason ?? reasonOf[switched],
    changedBy: author.userId,
  });
}

/** Deletes a subscription softly and cancels its live deliveries. */
export async function removeSubscription(
  trx: Trx,
  author: ChangeAuthor,
  id: number,
): Promise<void> {
  const revision = await takeRevision(trx);
  if ((await lockSubscription(trx, author.enterpriseId, id)) === undefined) {
    throw webhookNotFound(id);
  }
  await lockHealth(trx, [id]);
  await deleteSubscription(trx, id);
  await cancelDeliveries(trx, id, backlogBatch);
  await recordRevision(trx, id, revision, { reason: "deleted", changedBy: author.userId });
}

type SealOwner = { id: number; enterpriseId: number };

/** The new state of a subscription. Secrets and keys left out keep their stored values. */
export type SubscriptionChange = {
  settings: SubscriptionSettings;
  signing?: Partial<SigningKeys>;
  /** Settings that are given anew. Others that cannot be decrypted stay as they are stored. */
  replaced?: readonly string[];
};

/**
 * Values that the platform's key does not decrypt, for instance after a restore with another one,
 * read as their defaults and are listed, so that they can be given anew.
 */
export function openSubscription(box: SecretBox, stored: StoredSubscription): Subscription {
  const { settings: row, secretSealed, keysSealed, ...rest } = stored;
  const undecryptable: EncryptedField[] = [];
  const open = (name: EncryptedField, sealed: Buffer | null, seal: SealAad): unknown => {
    const opened = sealed === null ? "null" : tryOpen(box, sealed, aadOf(seal, stored));
    if (opened === undefined) {
      undecryptable.push(name);
    }
    return JSON.parse(opened ?? "null");
  };
  const opened = settings.map(({ name, property, column, defaultValue, aad }) => {
    const value = row[column];
    return [
      property,
      aad === undefined ? value : (open(name, value as Buffer | null, aad) ?? defaultValue),
    ];
  });
  return {
    ...rest,
    ...(Object.fromEntries(opened) as SubscriptionSettings),
    secrets: (open("secrets", secretSealed, secretsAad) ?? []) as SigningSecret[],
    keys: (open("publicKeys", keysSealed, keysAad) ?? []) as SigningKeyPair[],
    undecryptable,
  };
}

/** What cannot be decrypted, and stays as it is stored. */
function keptOf(
  { undecryptable }: Subscription,
  { replaced = [], signing = {} }: SubscriptionChange,
): EncryptedField[] {
  const changed = new Set([
    ...replaced,
    ...(signing.secrets === undefined ? [] : ["secrets"]),
    ...(signing.keys === undefined ? [] : ["publicKeys"]),
  ]);
  return undecryptable.filter((name) => !changed.has(name));
}

/** The columns of these settings, as they are stored. */
function columnsAsStored(
  stored: SettingColumns,
  names: readonly EncryptedField[],
): Partial<SettingColumns> {
  return Object.fromEntries(
    settings
      .filter(({ name }) => names.includes(name))
      .map(({ column }) => [column, stored[column]]),
  );
}

/** What a change writes. */
function sealChange(
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
