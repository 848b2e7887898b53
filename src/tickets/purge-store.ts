/**
 * Rows of tickets that were deleted long ago. A purge is the one writer that crosses the slices:
 * what points to a ticket has to go before it, or to let go of it, in one transaction.
 *
 * Gone is what is about the customer: timeline, consents, answers, positions, invitations, chat,
 * the agent's links, and the ticket. Kept is what an enterprise is counted and billed by, without
 * the ticket and without names: sessions and their stays, and messages, whose text and addressee
 * are blanked. A ticket that still has files waits until their own purge has taken them.
 */
import { rowsOf, type Trx } from "../platform/db/pool.ts";

/** Tickets deleted before `before` that have no files left, at most `limit`, locked. */
export async function lockPurgeable(
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

const ofTickets = [
  "DELETE FROM session_events WHERE ticket_id = ANY(?)",
  "DELETE FROM survey_answers WHERE ticket_id = ANY(?)",
  "DELETE FROM position_requests WHERE ticket_id = ANY(?)",
  "DELETE FROM guest_answers WHERE ticket_id = ANY(?)",
  "DELETE FROM consents WHERE ticket_id = ANY(?)",
  "DELETE FROM invitations WHERE ticket_id = ANY(?)",
  "DELETE FROM tokens WHERE ticket_id = ANY(?)",
  `UPDATE messages SET ticket_id = NULL, recipient = '', text = '', html = NULL,
    calendar = NULL, subject = CASE WHEN subject IS NOT NULL THEN '' END
    WHERE ticket_id = ANY(?)`,
] as const;

const ofConversations = [
  "DELETE FROM chat_messages WHERE conversation_id = ANY(?)",
  `UPDATE stays SET name = '', user_agent = NULL WHERE session_id IN (
    SELECT id FROM sessions WHERE conversation_id = ANY(?))`,
] as const;

/** Deletes the locked tickets, children first. */
export async function purgeTickets(
  trx: Trx,
  { ids, conversationIds }: { ids: number[]; conversationIds: number[] },
): Promise<void> {
  for (const sql of ofTickets) {
    await rowsOf(trx, sql, [ids]);
  }
  for (const sql of ofConversations) {
    await rowsOf(trx, sql, [conversationIds]);
  }
  await rowsOf(trx, "DELETE FROM tickets WHERE id = ANY(?)", [ids]);
}
