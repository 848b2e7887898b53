/**
 * Authenticates the tokens of API calls with one indexed read, which `identity-cache.ts` saves most
 * calls.
 */
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import { sharedRowsOf } from "../platform/db/prepared.ts";
import { unindexedNumberSql } from "../platform/db/where.ts";
import type { Role } from "../contracts/permissions.ts";
import type { Caller } from "../http/route.ts";
import { hashToken, type Identity } from "./identity-cache.ts";

/** Columns and mapping of the authenticated caller, shared by tokens, API tokens and sessions. */
export type CallerRow = {
  user_id: number;
  enterprise_id: number;
  login: string;
  role: Role;
  account_type: Caller["accountType"];
  has_solution: boolean;
  group_ids: number[];
  expires_in_ms: number;
};

/** For joins of a user by id: see `unindexedNumberSql`. */
export const enterpriseOfUserSql = unindexedNumberSql("u.enterprise_id");

/** For statements that join `users u` and `enterprises e`. */
export const callerColumns = `u.id AS user_id, u.enterprise_id, u.login, u.role, u.account_type,
  e.solution_enabled AS has_solution,
  coalesce((SELECT json_agg(m.group_id ORDER BY m.group_id) FROM group_members m
    WHERE m.user_id = u.id), '[]') AS group_ids`;

/** The column `expires_in_ms` of a caller, for an expression of the time when access ends. */
export function expiresInMsSql(endSql: string): string {
  return `CAST(extract(epoch FROM ${endSql} - now()) * 1000 AS double precision) AS expires_in_ms`;
}

/** The owner of a valid access token or API token. */
export async function authenticateToken(
  db: Queryable,
  token: string,
): Promise<Identity | undefined> {
  const hash = hashToken(token);
  return isApiToken(token) ? findApiTokenCaller(db, hash, token) : findCaller(db, hash, token);
}

/** The owner of an access token, if the token has not expired and the user is active. */
async function findCaller(
  db: Queryable,
  hash: Buffer,
  token: string,
): Promise<Identity | undefined> {
  const [row] = await sharedRowsOf<CallerRow>(
    db,
    `SELECT ${callerColumns}, ${expiresInMsSql("t.expires_at")} FROM tokens t
     JOIN users u ON u.id = t.user_id AND ${enterpriseOfUserSql} = t.enterprise_id
     JOIN enterprises e ON e.id = u.enterprise_id
     WHERE t.hash = ? AND t.kind = 'access' AND t.expires_at > now() AND u.is_active`,
    [hash],
  );
  return row === undefined ? undefined : toAuthenticated(row, { token });
}

/** The owner of an API token, if the token has not expired and the user is active. */
async function findApiTokenCaller(
  db: Queryable,
  hash: Buffer,
  token: string,
): Promise<Identity | undefined> {
  const [row] = await sharedRowsOf<CallerRow & { is_stale: boolean }>(
    db,
    `SELECT ${callerColumns}, ${expiresInMsSql("t.expires_at")},
       coalesce(t.used_at < now() - interval '1 minute', true) AS is_stale
     FROM api_tokens t
     JOIN users u ON u.id = t.user_id AND ${enterpriseOfUserSql} = t.enterprise_id
     JOIN enterprises e ON e.id = u.enterprise_id
     WHERE t.hash = ? AND t.expires_at > now() AND u.is_active`,
    [hash],
  );
  if (row === undefined) {
    return undefined;
  }
  if (row.is_stale) {
    await rowsOf(
      db,
      `UPDATE api_tokens SET used_at = now() WHERE hash = ?
       AND coalesce(used_at < now() - interval '1 minute', true)`,
      [hash],
    );
  }
  return toAuthenticated(row, { token });
}

/** `presented` is the presented credential: the token, or the id of the session. */
export function toAuthenticated(
  row: CallerRow,
  presented: Pick<Caller, "token" | "sessionId" | "onlyTicketId">,
): Identity {
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
    expiresInMs: row.expires_in_ms,
  };
}

const apiToken = /^slt_[A-Za-z0-9_-]{43}$/u;

/**
 * Checks prefix and length: an access token may start with the prefix by chance, but is shorter.
 */
export function isApiToken(token: string): boolean {
  return apiToken.test(token);
}
