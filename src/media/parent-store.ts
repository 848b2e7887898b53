import type { Geoloc } from "../contracts/session-events.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

export type Room = Readonly<{
  enterpriseId: number;
  conversationId: number;
  ticketId: number | null;
  conferenceId: number | null;
}>;

/**
 * Whether the ticket or conference that a room token was made for still takes files: a token
 * outlives what it was made for.
 */
export async function isRoomOpen(db: Queryable, room: Room): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT FROM tickets WHERE enterprise_id = ? AND id = ? AND conversation_id = ?
        AND deleted_at IS NULL AND state NOT IN ('closed', 'rejected')
      UNION ALL
      SELECT FROM conferences WHERE enterprise_id = ? AND id = ? AND conversation_id = ?
        AND status NOT IN ('ended', 'cancelled')`,
    [
      room.enterpriseId,
      room.ticketId,
      room.conversationId,
      room.enterpriseId,
      room.conferenceId,
      room.conversationId,
    ],
  );
  return rows.length > 0;
}

/** Where the customer of a ticket was last; null where that is not known. */
export async function findTicketPosition(
  db: Queryable,
  { enterpriseId, ticketId }: { enterpriseId: number; ticketId: number },
): Promise<Geoloc | null> {
  const [row] = await rowsOf<Geoloc>(
    db,
    `SELECT geoloc_lat AS lat, geoloc_lng AS lng FROM tickets
      WHERE enterprise_id = ? AND id = ? AND geoloc_lat IS NOT NULL AND geoloc_lng IS NOT NULL`,
    [enterpriseId, ticketId],
  );
  return row ?? null;
}
