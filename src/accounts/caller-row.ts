/** The user behind a token or a session, as every call needs them: one way to read them. */
import type { Role } from "../contracts/permissions.ts";
import type { Authenticated } from "../http/authorize.ts";
import type { Caller } from "../http/route.ts";

export type CallerRow = {
  user_id: number;
  enterprise_id: number;
  login: string;
  role: Role;
  account_type: Caller["accountType"];
  has_solution: boolean;
  group_ids: number[];
};

/** Of a statement that joins `users u` and `enterprises e`. */
export const callerColumns = `u.id AS user_id, u.enterprise_id, u.login, u.role, u.account_type,
  e.solution_enabled AS has_solution,
  coalesce((SELECT json_agg(m.group_id ORDER BY m.group_id) FROM group_members m
    WHERE m.user_id = u.id), '[]') AS group_ids`;

/** How `presented` was presented: the token, or the session's number. */
export function toAuthenticated(
  row: CallerRow,
  presented: Pick<Caller, "token" | "sessionId">,
): Authenticated {
  return {
    caller: {
      userId: row.user_id,
      enterpriseId: row.enterprise_id,
      login: row.login,
      role: row.role,
      accountType: row.account_type,
      groupIds: row.group_ids,
      ...presented,
    },
    hasSolution: row.has_solution,
  };
}
