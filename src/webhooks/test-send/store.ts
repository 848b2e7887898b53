import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import { rowsOf, type Trx } from "../../platform/db/pool.ts";

export type Receiver = { mode: SubscriptionMode; hasUrl: boolean };

export type PastEvent = { body: string; isExpunged: boolean };

/** How one of the enterprise's own subscriptions that is not deleted is reached. */
export async function findReceiver(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<Receiver | undefined> {
  const [row] = await rowsOf<{ mode: SubscriptionMode; has_url: boolean }>(
    trx,
    `SELECT mode, url IS NOT NULL AS has_url FROM subscriptions
     WHERE enterprise_id = ? AND id = ? AND deleted_at IS NULL`,
    [enterpriseId, id],
  );
  return row && { mode: row.mode, hasUrl: row.has_url };
}

/** An event of the enterprise, by its `webhook-id`. */
export async function findPastEvent(
  trx: Trx,
  enterpriseId: number,
  messageId: string,
): Promise<PastEvent | undefined> {
  const [row] = await rowsOf<{ body: string; is_expunged: boolean }>(
    trx,
    `SELECT body, expunged_at IS NOT NULL AS is_expunged FROM events
     WHERE message_id = ? AND enterprise_id = ?`,
    [messageId, enterpriseId],
  );
  return row && { body: row.body, isExpunged: row.is_expunged };
}
