import { rowsOf, type Trx } from "../../platform/db/pool.ts";

export type LockedEvent = { id: number; occurredAt: Date; expungedAt: Date | null };

/** The enterprise's event with this `webhook-id`, locked until the transaction ends. */
export async function lockEvent(
  trx: Trx,
  enterpriseId: number,
  messageId: string,
): Promise<LockedEvent | undefined> {
  const [row] = await rowsOf<{ id: number; occurred_at: Date; expunged_at: Date | null }>(
    trx,
    `SELECT id, occurred_at, expunged_at FROM events
     WHERE message_id = ? AND enterprise_id = ? FOR UPDATE`,
    [messageId, enterpriseId],
  );
  return row && { id: row.id, occurredAt: row.occurred_at, expungedAt: row.expunged_at };
}

/** Empties the body. The rest of the row, which says what the event was about, stays. */
export async function emptyEvent(
  trx: Trx,
  { id, occurredAt }: LockedEvent,
  at: Date,
): Promise<void> {
  await rowsOf(
    trx,
    "UPDATE events SET body = '', expunged_at = ? WHERE id = ? AND occurred_at = ?",
    [at, id, occurredAt],
  );
}

/** The URLs of an enterprise's subscriptions. */
export async function listUrls(trx: Trx, enterpriseId: number): Promise<string[]> {
  const rows = await rowsOf<{ url: string }>(
    trx,
    `SELECT DISTINCT url FROM subscriptions
     WHERE enterprise_id = ? AND deleted_at IS NULL AND url IS NOT NULL`,
    [enterpriseId],
  );
  return rows.map(({ url }) => url);
}
