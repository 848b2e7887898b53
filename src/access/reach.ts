import type { Scope } from "../contracts/permissions.ts";

/** A part of a WHERE clause, with what is bound to its places. */
export type WaitingTicketCondition = Readonly<{ sql: string; bindings: readonly unknown[] }>;

/**
 * The rooms that a scope reaches, and with them their conversations and sessions: those of its
 * tickets and conferences. Over `tickets t` and `conferences c`, of which one is there.
 */
export function roomReachSql({
  reach,
  enterpriseId,
  userId,
  groupIds,
}: Scope): WaitingTicketCondition {
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

/**
 * A ticket that nobody has taken yet and that was given to no group waits for all who may work for
 * its service: they reach it, and with it all that it has.
 */
export function waitingTicketSql({
  enterpriseId,
  groupIds,
}: Readonly<{ enterpriseId: number; groupIds: readonly number[] }>): WaitingTicketCondition {
  return {
    sql: `(t.agent_id IS NULL AND t.group_id IS NULL AND (t.service_id NOT IN (
      SELECT g.service_id FROM service_groups g WHERE g.enterprise_id = ?)
    OR t.service_id IN (SELECT g.service_id FROM service_groups g
      WHERE g.group_id = ANY(?::bigint[]))))`,
    bindings: [enterpriseId, [...groupIds]],
  };
}

function memberSql(userId: string): string {
  return `EXISTS (SELECT FROM group_members m WHERE m.user_id = ${userId} AND m.group_id = ANY(?::bigint[]))`;
}
