/**
 * Which tickets, conferences and rooms a caller reaches, as conditions of SQL; and the time zone in
 * which the times of the caller are read.
 */
import type { Scope } from "../contracts/permissions.ts";
import { type Queryable, rowsOf } from "../platform/db/pool.ts";
import type { SqlCondition } from "../platform/db/where.ts";

/**
 * Sub-selects hide the values from the planner. It would estimate less for the groups of a caller
 * than for any groups, and so plan a prepared statement again at each execution, which takes
 * longer than to read a ticket.
 */
const groupIdsSql = "(SELECT ?::bigint[])::bigint[]";

const enterpriseIdSql = "(SELECT ?::bigint)";

/** The tickets `t` that a scope reaches. */
export function ticketReachSql({ reach, enterpriseId, userId, groupIds }: Scope): SqlCondition {
  switch (reach) {
    case "all":
      return { sql: "TRUE", bindings: [] };
    case "own":
      return { sql: "t.agent_id = ?", bindings: [userId] };
    case "group": {
      const waiting = waitingTicketSql({ enterpriseId, groupIds });
      return {
        sql: `(t.agent_id = ? OR t.group_id = ANY(${groupIdsSql}) OR ${memberSql("t.agent_id")}
          OR ${waiting.sql})`,
        bindings: [userId, [...groupIds], [...groupIds], ...waiting.bindings],
      };
    }
    default:
      return reach satisfies never;
  }
}

const ownConferenceSql =
  "(? IN (c.organizer_id, coalesce(c.moderator_id, c.organizer_id), c.created_by))";

/** The conferences `c` that a scope reaches. */
export function conferenceReachSql({ reach, userId, groupIds }: Scope): SqlCondition {
  switch (reach) {
    case "all":
      return { sql: "TRUE", bindings: [] };
    case "own":
      return { sql: ownConferenceSql, bindings: [userId] };
    case "group":
      return {
        sql: `(${ownConferenceSql} OR ${memberSql("c.organizer_id")})`,
        bindings: [userId, [...groupIds]],
      };
    default:
      return reach satisfies never;
  }
}

/**
 * The rooms that a scope reaches, with their conversations and sessions: the rooms of its tickets
 * and conferences. Expects outer joins of `tickets t` and `conferences c`.
 */
export function roomReachSql({ reach, enterpriseId, userId, groupIds }: Scope): SqlCondition {
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
        sql: `coalesce(${ownSql} OR t.group_id = ANY(${groupIdsSql}) OR ${memberSql("t.agent_id")}
          OR ${memberSql("c.organizer_id")} OR (t.id IS NOT NULL AND ${waiting.sql}), FALSE)`,
        bindings: [userId, userId, groups, groups, groups, ...waiting.bindings],
      };
    }
    default:
      return reach satisfies never;
  }
}

/** A ticket without an agent and a group: everybody who may work for its service reaches it. */
function waitingTicketSql({
  enterpriseId,
  groupIds,
}: Readonly<{ enterpriseId: number; groupIds: readonly number[] }>): SqlCondition {
  return {
    sql: `(t.agent_id IS NULL AND t.group_id IS NULL AND (t.service_id NOT IN (
      SELECT g.service_id FROM service_groups g WHERE g.enterprise_id = ${enterpriseIdSql})
    OR t.service_id IN (SELECT g.service_id FROM service_groups g
      WHERE g.group_id = ANY(${groupIdsSql}))))`,
    bindings: [enterpriseId, [...groupIds]],
  };
}

function memberSql(userId: string): string {
  return `EXISTS (SELECT FROM group_members m WHERE m.user_id = ${userId} AND m.group_id = ANY(${groupIdsSql}))`;
}

/** The time zone of an enterprise. Timestamps without an offset are read in it. */
export async function findTimeZone(
  db: Queryable,
  enterpriseId: number,
): Promise<string | undefined> {
  const [row] = await rowsOf<{ time_zone: string }>(
    db,
    "SELECT time_zone FROM enterprises WHERE id = ?",
    [enterpriseId],
  );
  return row?.time_zone;
}
