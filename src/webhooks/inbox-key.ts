/**
 * Whose inbox a key is. The key alone opens it, without a token, so it must never come to mean
 * another enterprise's requests, nor those of a webhook that is gone.
 */
import { invalidParameter } from "../contracts/problems.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { blockedTargetText } from "../platform/net/url-rules.ts";
import { inboxKeyOf } from "./receiver-url.ts";
import {
  findKeyOwner,
  hasInboxKey,
  listInboxSubscriptions,
  type SubscriptionTarget,
} from "./inbox-store.ts";

export type InboxPlace = {
  /** Where this platform serves its inbox, without `/inbox/`: as it is dialled, and in public. */
  bases: readonly string[];
  /** Deletes what an inbox has kept. */
  forget: (trx: Trx, key: string) => Promise<void>;
};

type HeldKey = { key: string; enterpriseId: number };

export type UrlChange = { enterpriseId: number; before: string | null; after: string | null };

/** The subscriptions that send to this platform's own inbox with this key. */
export function findInboxSubscriptions(
  db: Queryable,
  { bases }: InboxPlace,
  key: string,
): Promise<SubscriptionTarget[]> {
  return listInboxSubscriptions(db, urlsOf(bases, key));
}

/**
 * Called in the transaction of a change, after it: refuses the key of another enterprise, in the
 * words of any address that is not allowed, and forgets the requests of a key that nobody holds any
 * more. Exact, as the caller holds the lock of the revision counter.
 */
export async function settleInbox(
  trx: Trx,
  place: InboxPlace,
  { enterpriseId, before, after }: UrlChange,
): Promise<void> {
  const left = inboxKeyOf(before);
  const taken = inboxKeyOf(after);
  if (before !== after && taken !== undefined && isOwnInbox(place, after, taken)) {
    await requireOwner(trx, { key: taken, enterpriseId });
  }
  if (left !== undefined && left !== taken) {
    await forgetUnheld(trx, place, { key: left, enterpriseId });
  }
}

function isOwnInbox({ bases }: InboxPlace, url: string | null, key: string): boolean {
  return url !== null && urlsOf(bases, key).includes(url.split("?")[0] ?? "");
}

/** In the form in which URLs are stored. */
function urlsOf(bases: readonly string[], key: string): string[] {
  return bases
    .map((base) => `${base}/inbox/${key}`)
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).href);
}

async function requireOwner(trx: Trx, { key, enterpriseId }: HeldKey): Promise<void> {
  if ((await findKeyOwner(trx, key)) !== enterpriseId) {
    throw invalidParameter("url", "blocked_target", blockedTargetText);
  }
}

/** Another enterprise that has learned the key must neither empty the inbox nor keep it alive. */
async function forgetUnheld(
  trx: Trx,
  place: InboxPlace,
  { key, enterpriseId }: HeldKey,
): Promise<void> {
  const isHeld = await hasInboxKey(trx, enterpriseId, key);
  if (!isHeld && (await findKeyOwner(trx, key)) === enterpriseId) {
    await place.forget(trx, key);
  }
}
