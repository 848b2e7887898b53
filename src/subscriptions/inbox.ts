/**
 * Ownership of inbox keys. The key alone opens an inbox, without a token, so a key must never show
 * requests of another enterprise or of a deleted webhook.
 */
import { invalidParameter } from "../contracts/problems.ts";
import {
  keysAad,
  secretsAad,
  type SigningKeyPair,
  type SigningSecret,
} from "../contracts/subscriptions.ts";
import type { Clock } from "../platform/clock.ts";
import { type Queryable, type Trx, rowsOf, type Db } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { blockedTargetText } from "../platform/net/address-rules.ts";
import { inboxKeyOf } from "./settings/setting.ts";
import type { Ids } from "../platform/ids.ts";
import { type SecretBox, tryOpen } from "../platform/secret-box.ts";
import { addSubscription, changeSubscription } from "./changes.ts";
import { defaultSettings } from "./settings/table.ts";
import { newSecret, validAt } from "./signing-keys.ts";

export type InboxOptions = {
  /** Where this platform serves its inbox, without `/inbox/`: its internal and public addresses. */
  bases: readonly string[];
  /** Deletes the requests of an inbox. */
  deleteRequests: (trx: Trx, key: string) => Promise<void>;
};

type OwnedInboxKey = { key: string; enterpriseId: number };

export type UrlChange = { enterpriseId: number; before: string | null; after: string | null };

/** A subscription whose URL is an inbox of this platform. */
export type InboxSubscription = {
  id: number;
  enterpriseId: number;
  url: string | null;
  isDeleted: boolean;
  secretSealed: Buffer;
  keysSealed: Buffer | null;
};

type InboxSubscriptionRow = {
  id: number;
  enterprise_id: number;
  url: string | null;
  is_deleted: boolean;
  secret_sealed: Buffer;
  keys_sealed: Buffer | null;
};

const targetSql = `
  SELECT id, enterprise_id, url, deleted_at IS NOT NULL AS is_deleted, secret_sealed, keys_sealed
  FROM subscriptions`;

const inboxEnding = "right(split_part(url, ?, 1), ?) = ?";

export type DemoDeps = { db: Db; secretBox: SecretBox; ids: Pick<Ids, "base62" | "bytes"> };

export type DemoOptions = {
  enterpriseId: number;
  /** The current address of this platform; it may have changed since the last start. */
  baseUrl: string;
};

type SecretsDeps = Readonly<{ db: Db; secretBox: SecretBox; inbox: InboxOptions; clock: Clock }>;

/** See `findInboxSecrets` of `WebhookService`. */
export function readInboxSecrets({ db, secretBox, inbox, clock }: SecretsDeps) {
  return async (key: string): Promise<string[] | undefined> => {
    const found = await findInboxSubscriptions(db, inbox, key);
    const signers = found.flatMap(({ enterpriseId, id, secretSealed, keysSealed }) => [
      ...openSigners<SigningSecret>(secretBox, secretSealed, secretsAad(enterpriseId, id)),
      ...openSigners<SigningKeyPair>(secretBox, keysSealed, keysAad(enterpriseId, id)),
    ]);
    return found.length === 0
      ? undefined
      : validAt(signers, clock.now()).map((one) => ("secret" in one ? one.secret : one.publicKey));
  };
}

/** None if they cannot be decrypted: the inbox stays readable, and checks no signatures. */
function openSigners<T>(box: SecretBox, sealed: Buffer | null, aad: string): T[] {
  const opened = sealed === null ? undefined : tryOpen(box, sealed, aad);
  return opened === undefined ? [] : (JSON.parse(opened) as T[]);
}

/** The subscriptions that send to this platform's own inbox with this key. */
function findInboxSubscriptions(
  db: Queryable,
  { bases }: InboxOptions,
  key: string,
): Promise<InboxSubscription[]> {
  return listInboxSubscriptions(db, urlsOf(bases, key));
}

/** The subscriptions of all enterprises with one of these URLs, whatever the query string. */
async function listInboxSubscriptions(
  db: Queryable,
  urls: readonly string[],
): Promise<InboxSubscription[]> {
  const rows = await rowsOf<InboxSubscriptionRow>(
    db,
    `${targetSql} WHERE deleted_at IS NULL AND split_part(url, ?, 1) = ANY(?::text[]) ORDER BY id`,
    ["?", urls],
  );
  return rows.map(toInboxSubscription);
}

/**
 * Called after a change, in its transaction. Rejects the key of another enterprise, with the text for
 * any forbidden address, and deletes the requests of a key that is no longer used. Exact, because the
 * caller holds the lock of the revision counter.
 */
export async function updateInboxOwnership(
  trx: Trx,
  place: InboxOptions,
  { enterpriseId, before, after }: UrlChange,
): Promise<void> {
  const left = inboxKeyOf(before);
  const taken = inboxKeyOf(after);
  if (before !== after && taken !== undefined && isOwnInbox(place, after, taken)) {
    await requireOwner(trx, { key: taken, enterpriseId });
  }
  if (left !== undefined && left !== taken) {
    await deleteUnusedInbox(trx, place, { key: left, enterpriseId });
  }
}

function isOwnInbox({ bases }: InboxOptions, url: string | null, key: string): boolean {
  return url !== null && urlsOf(bases, key).includes(url.split("?")[0] ?? "");
}

/** In the stored form of URLs. */
function urlsOf(bases: readonly string[], key: string): string[] {
  return bases
    .map((base) => `${base}/inbox/${key}`)
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).href);
}

async function requireOwner(trx: Trx, { key, enterpriseId }: OwnedInboxKey): Promise<void> {
  if ((await findKeyOwner(trx, key)) !== enterpriseId) {
    throw invalidParameter("url", "blocked_target", blockedTargetText);
  }
}

/** Another enterprise that knows the key can neither empty the inbox nor keep it. */
async function deleteUnusedInbox(
  trx: Trx,
  place: InboxOptions,
  { key, enterpriseId }: OwnedInboxKey,
): Promise<void> {
  const isHeld = await hasInboxKey(trx, enterpriseId, key);
  if (!isHeld && (await findKeyOwner(trx, key)) === enterpriseId) {
    await place.deleteRequests(trx, key);
  }
}

/** Whether a subscription of the enterprise that is not deleted has this key. */
async function hasInboxKey(db: Queryable, enterpriseId: number, key: string): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM subscriptions WHERE deleted_at IS NULL AND enterprise_id = ? AND ${inboxEnding}`,
    [enterpriseId, ...endingOf(key)],
  );
  return rows.length > 0;
}

/** The enterprise that first had a subscription with this key, at whatever address. */
async function findKeyOwner(db: Queryable, key: string): Promise<number | undefined> {
  const [row] = await rowsOf<{ enterprise_id: number }>(
    db,
    `SELECT enterprise_id FROM subscription_revisions WHERE ${inboxEnding}
     ORDER BY revision LIMIT 1`,
    endingOf(key),
  );
  return row?.enterprise_id;
}

function endingOf(key: string): unknown[] {
  return ["?", `/inbox/${key}`.length, `/inbox/${key}`];
}

/** The keys of the inboxes that the enterprise's subscriptions send to. */
export async function listInboxKeys(db: Queryable, enterpriseId: number): Promise<string[]> {
  const rows = await rowsOf<{ url: string }>(
    db,
    `SELECT DISTINCT url FROM subscriptions
     WHERE enterprise_id = ? AND deleted_at IS NULL AND url IS NOT NULL`,
    [enterpriseId],
  );
  return rows.flatMap(({ url }) => inboxKeyOf(url) ?? []);
}

/** The URL of a subscription, deleted or not. */
export async function findUrl(db: Queryable, id: number): Promise<string | null> {
  const sql = "SELECT url FROM subscriptions WHERE id = ?";
  return (await rowsOf<{ url: string | null }>(db, sql, [id]))[0]?.url ?? null;
}

/** Too long to guess. */
const keyLength = 22;

/**
 * Creates the first subscription of an enterprise without any: all events, to the inbox. Later starts
 * update its URL if the platform's address has changed, unless it was deleted or no longer sends to
 * an inbox. Returns the inbox's address.
 */
export async function ensureDemoSubscription(
  deps: DemoDeps,
  { enterpriseId, baseUrl }: DemoOptions,
): Promise<string | undefined> {
  const inboxAt = (key: string): string => `${baseUrl}/inbox/${key}`;
  const first = await findFirstSubscription(deps.db, enterpriseId);
  if (first === undefined) {
    const inbox = inboxAt(deps.ids.base62(keyLength));
    await addDemo(deps, enterpriseId, inbox);
    return inbox;
  }
  const key = first.isDeleted ? undefined : inboxKeyOf(first.url);
  if (key === undefined || first.url === null) {
    return undefined;
  }
  const moved = inboxAt(key) + new URL(first.url).search;
  if (moved !== first.url) {
    await repointDemo(deps, first, moved);
  }
  return inboxAt(key);
}

/** The oldest subscription of the enterprise, deleted or not. */
async function findFirstSubscription(
  db: Queryable,
  enterpriseId: number,
): Promise<InboxSubscription | undefined> {
  const sql = `${targetSql} WHERE enterprise_id = ? ORDER BY id LIMIT 1`;
  return (await rowsOf<InboxSubscriptionRow>(db, sql, [enterpriseId])).map(toInboxSubscription)[0];
}

function toInboxSubscription(row: InboxSubscriptionRow): InboxSubscription {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    url: row.url,
    isDeleted: row.is_deleted,
    secretSealed: row.secret_sealed,
    keysSealed: row.keys_sealed,
  };
}

/** Creates the subscription at the first start. */
async function addDemo(deps: DemoDeps, enterpriseId: number, url: string): Promise<void> {
  const settings = { ...defaultSettings, name: "Inbox", url, isActive: true, filters: ["*"] };
  const secrets = [{ secret: newSecret(deps.ids.bytes), until: null }];
  const author = { enterpriseId, userId: null };
  await inTransaction(deps.db, (trx) =>
    addSubscription(trx, deps.secretBox, author, { settings, signing: { secrets } }),
  );
}

async function repointDemo(
  deps: DemoDeps,
  { id, enterpriseId }: { id: number; enterpriseId: number },
  url: string,
): Promise<void> {
  const author = { enterpriseId, userId: null };
  await inTransaction(deps.db, (trx) =>
    changeSubscription(trx, deps.secretBox, { author, id }, (before) => ({
      settings: { ...before, url },
    })),
  );
}
