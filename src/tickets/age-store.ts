import { rowsOf, type Trx } from "../platform/db/pool.ts";
import type { Ticket } from "./ticket.ts";

type DueTicket = Readonly<{ id: number; enterpriseId: number }>;

/**
 * Tickets whose state leads on by now and that no open task looks after yet, oldest first, at most
 * `limit`. Locked, and passed over where somebody else holds them: two processes plan none twice.
 */
export async function lockDueTickets(
  trx: Trx,
  { at, limit }: { at: Date; limit: number },
): Promise<DueTicket[]> {
  const rows = await rowsOf<{ id: number; enterprise_id: number }>(
    trx,
    `SELECT t.id, t.enterprise_id FROM tickets t
      WHERE t.ages_at <= ? AND t.ages_at IS NOT NULL AND t.deleted_at IS NULL
        AND NOT EXISTS (SELECT FROM tasks k WHERE k.kind = 'ticket.age'
          AND k.key = 'ticket:' || t.id AND k.state IN ('waiting', 'queued', 'running'))
      ORDER BY t.ages_at LIMIT ? FOR UPDATE OF t SKIP LOCKED`,
    [at, limit],
  );
  return rows.map((row) => ({ id: row.id, enterpriseId: row.enterprise_id }));
}

/** Marks a locked ticket as reminded of its planned start. Out: false where it was before. */
export async function markReminded(
  trx: Trx,
  { id, enterpriseId, startTime }: Pick<Ticket, "id" | "enterpriseId" | "startTime">,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `UPDATE tickets SET reminded_of = start_time
      WHERE id = ? AND enterprise_id = ? AND start_time = ?
        AND reminded_of IS DISTINCT FROM start_time RETURNING id`,
    [id, enterpriseId, startTime],
  );
  return rows.length > 0;
}

/** Puts the time of a locked ticket right. Nobody is told: the ticket itself does not change. */
export async function writeAgesAt(
  trx: Trx,
  { id, enterpriseId }: Pick<Ticket, "id" | "enterpriseId">,
  agesAt: Date | null,
): Promise<void> {
  await rowsOf(trx, "UPDATE tickets SET ages_at = ? WHERE id = ? AND enterprise_id = ?", [
    agesAt,
    id,
    enterpriseId,
  ]);
}
