import { dayMs } from "../platform/clock.ts";
import { rowsOf, type Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { HashPhone } from "../platform/phone-hash.ts";
import type { TicketDeps } from "./model.ts";

export type PurgeDeps = Pick<TicketDeps, "db" | "clock"> & Readonly<{ hashPhone: HashPhone }>;

const deletedRetentionMs = 30 * dayMs;

/** As long as the longest retention that an enterprise can set. */
const phoneHashRetentionMs = 400 * dayMs;

/** Tickets per step. */
const batchSize = 100;

const hashBatchSize = 1_000;

const deleteOldHashesSql = `
  DELETE FROM purged_recipients WHERE (phone_hash, enterprise_id) IN (
    SELECT phone_hash, enterprise_id FROM purged_recipients
    WHERE purged_at < ? ORDER BY purged_at LIMIT ? FOR UPDATE SKIP LOCKED)`;

/** One bounded step: purges tickets deleted 30 days ago. Returns their number. */
export function purgeDeletedTickets({ db, clock, hashPhone }: PurgeDeps) {
  return inTransaction(db, async (trx) => {
    const before = new Date(clock.now().getTime() - deletedRetentionMs);
    const purgeable = await lockPurgeable(trx, { before, limit: batchSize });
    if (purgeable.ids.length > 0) {
      await keepPhoneHashes(trx, purgeable.ids, hashPhone);
      await purgeTickets(trx, purgeable);
    }
    await rowsOf(trx, deleteOldHashesSql, [
      new Date(clock.now().getTime() - phoneHashRetentionMs),
      hashBatchSize,
    ]);
    return purgeable.ids.length;
  });
}

/** Locks tickets deleted before `before` that have no files left, at most `limit`. */
async function lockPurgeable(
  trx: Trx,
  { before, limit }: { before: Date; limit: number },
): Promise<{ ids: number[]; conversationIds: number[] }> {
  const rows = await rowsOf<{ id: number; conversation_id: number }>(
    trx,
    `SELECT t.id, t.conversation_id FROM tickets t
      WHERE t.deleted_at IS NOT NULL AND t.deleted_at < ?
        AND NOT EXISTS (SELECT FROM media m WHERE m.ticket_id = t.id)
      ORDER BY t.deleted_at LIMIT ? FOR UPDATE OF t SKIP LOCKED`,
    [before, limit],
  );
  return {
    ids: rows.map(({ id }) => id),
    conversationIds: rows.map(({ conversation_id: id }) => id),
  };
}

/**
 * Stores who got an SMS, as keyed hashes: a STOP that arrives later must still opt the number out.
 * Sorted, so that two purges cannot deadlock.
 */
async function keepPhoneHashes(
  trx: Trx,
  ticketIds: readonly number[],
  hashPhone: HashPhone,
): Promise<void> {
  const recipients = await rowsOf<{ enterprise_id: number; recipient: string }>(
    trx,
    `SELECT DISTINCT enterprise_id, recipient FROM messages
     WHERE ticket_id = ANY(?) AND channel = 'sms'`,
    [[...ticketIds]],
  );
  await rowsOf(
    trx,
    `INSERT INTO purged_recipients (enterprise_id, phone_hash)
     SELECT enterprise_id, phone_hash FROM unnest(?::bigint[], ?::bytea[]) AS r(enterprise_id, phone_hash)
     ORDER BY phone_hash, enterprise_id
     ON CONFLICT (phone_hash, enterprise_id) DO UPDATE SET purged_at = now()`,
    [
      recipients.map((row) => row.enterprise_id),
      recipients.map(({ recipient }) => hashPhone(recipient)),
    ],
  );
}

const ticketStatements = [
  "DELETE FROM session_events WHERE ticket_id = ANY(?)",
  "DELETE FROM survey_answers WHERE ticket_id = ANY(?)",
  "DELETE FROM position_requests WHERE ticket_id = ANY(?)",
  "DELETE FROM guest_answers WHERE ticket_id = ANY(?)",
  "DELETE FROM consents WHERE ticket_id = ANY(?)",
  "DELETE FROM expert_invitations WHERE ticket_id = ANY(?)",
  "DELETE FROM invitations WHERE ticket_id = ANY(?)",
  "DELETE FROM tokens WHERE ticket_id = ANY(?)",
  `UPDATE messages SET ticket_id = NULL, recipient = '', text = '', html = NULL,
    calendar = NULL, subject = CASE WHEN subject IS NOT NULL THEN '' END
    WHERE ticket_id = ANY(?)`,
] as const;

const conversationStatements = [
  "DELETE FROM chat_messages WHERE conversation_id = ANY(?)",
  `UPDATE participations SET name = '', user_agent = NULL WHERE session_id IN (
    SELECT id FROM sessions WHERE conversation_id = ANY(?))`,
] as const;

/** Deletes the locked tickets, children first. */
async function purgeTickets(
  trx: Trx,
  { ids, conversationIds }: { ids: number[]; conversationIds: number[] },
): Promise<void> {
  for (const sql of ticketStatements) {
    await rowsOf(trx, sql, [ids]);
  }
  for (const sql of conversationStatements) {
    await rowsOf(trx, sql, [conversationIds]);
  }
  await rowsOf(trx, "DELETE FROM tickets WHERE id = ANY(?)", [ids]);
}
