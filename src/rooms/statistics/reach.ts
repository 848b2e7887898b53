/** Which sessions a caller may see: those of the tickets and conferences they reach. */
import type { Condition } from "../../platform/db/conditions.ts";
import type { Reach } from "../../contracts/permissions.ts";
import { waitingTicketSql } from "../../contracts/waiting-tickets.ts";
import type { ApiRequest } from "../../http/route.ts";

/** On whose behalf a list is read, and how far that reaches. */
export type Scope = Readonly<{
  enterpriseId: number;
  userId: number;
  groupIds: readonly number[];
  reach: Reach;
}>;

export const scopeOf = ({ caller, reach }: Pick<ApiRequest, "caller" | "reach">): Scope => ({
  enterpriseId: caller.enterpriseId,
  userId: caller.userId,
  groupIds: caller.groupIds,
  reach,
});

const memberSql = (userId: string): string =>
  `EXISTS (SELECT FROM group_members m WHERE m.user_id = ${userId} AND m.group_id = ANY(?::bigint[]))`;

/** Over `tickets t` and `conferences c`, of which one is there. */
export const reachSql = ({ reach, enterpriseId, userId, groupIds }: Scope): Condition => {
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
};
