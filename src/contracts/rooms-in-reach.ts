import type { Scope } from "./permissions.ts";
import { waitingTicketSql, type Condition } from "./waiting-tickets.ts";

/**
 * The rooms that a scope reaches, and with them their conversations and sessions: those of its
 * tickets and conferences. Over `tickets t` and `conferences c`, of which one is there.
 */
export function roomReachSql({ reach, enterpriseId, userId, groupIds }: Scope): Condition {
  const ownSql = "(t.agent_id = ? OR ? IN (c.organizer_id, c.moderator_id, c.created_by))";
  const groups = [...groupIds];
  switch (reach) {
    case "all":
      return { sql: "TRUE", bindings: [] };
    case "own":
      return { sql: `coalesce(${ownSql}, FALSE)`, bindings: [userId, userId] };
    case "group": {
      const waiting = waitingTicketSql({ enterpriseId, groupIds });
      return {
        sql: `coalesce(${ownSql} OR t.group_id = ANY(?::bigint[]) OR ${memberSql("t.agent_id")}
          OR ${memberSql("c.organizer_id")} OR (t.id IS NOT NULL AND ${waiting.sql}), FALSE)`,
        bindings: [userId, userId, groups, groups, groups, ...waiting.bindings],
      };
    }
    default:
      return reach satisfies never;
  }
}

function memberSql(userId: string): string {
  return `EXISTS (SELECT FROM group_members m WHERE m.user_id = ${userId} AND m.group_id = ANY(?::bigint[]))`;
}
