import type { Guest } from "../http/route.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

/** Somebody with an account who holds a room token. */
export type Holder = Readonly<Guest & { userId: number }>;

const leads = `EXISTS (SELECT FROM tickets t
    WHERE t.enterprise_id = u.enterprise_id AND t.id = ? AND t.agent_id = u.id)
  OR EXISTS (SELECT FROM conferences c
    WHERE c.enterprise_id = u.enterprise_id AND c.id = ? AND u.id IN (c.organizer_id, c.moderator_id))`;

const isThere = `EXISTS (SELECT FROM stays y
    JOIN sessions s ON s.enterprise_id = y.enterprise_id AND s.id = y.session_id
    WHERE s.enterprise_id = u.enterprise_id AND s.conversation_id = ? AND y.user_id = u.id
      AND y.left_at IS NULL)`;

/**
 * Whether a token still says the truth about its holder: the account is active, and who came as
 * agent, organizer or moderator is that still, or has not left the room since.
 */
export async function isHolderGood(db: Queryable, holder: Holder): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT FROM users u WHERE u.enterprise_id = ? AND u.id = ? AND u.is_active
       AND (? OR ${leads} OR ${isThere})`,
    [
      holder.enterpriseId,
      holder.userId,
      holder.role === "participant",
      holder.ticketId,
      holder.conferenceId,
      holder.conversationId,
    ],
  );
  return rows.length === 1;
}
