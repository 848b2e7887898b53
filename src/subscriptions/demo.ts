import { inTransaction, type Db } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import { addSubscription, changeSubscription } from "./changes.ts";
import { defaultSettings } from "./settings/table.ts";
import { inboxKeyOf } from "./settings/rules.ts";
import { newSecret } from "./signing-keys.ts";
import { findFirstSubscription } from "./inbox.ts";

export type DemoDeps = { db: Db; secretBox: SecretBox; ids: Pick<Ids, "base62" | "bytes"> };

export type DemoOptions = {
  enterpriseId: number;
  /** The current address of this platform; it may have changed since the last start. */
  baseUrl: string;
};

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
