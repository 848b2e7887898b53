import type { Role } from "../../contracts/permissions.ts";
import type { Authenticated } from "../../http/authorize.ts";
import { preparedRowsOf, rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { callerColumns, toAuthenticated, type CallerRow } from "../caller-row.ts";
import type { TokenOwner } from "../model.ts";

export type ApiToken = Readonly<{
  id: number;
  name: string;
  user: Readonly<{ id: number; login: string }>;
  created: Date;
  expires: Date;
  used: Date | null;
}>;

type ApiTokenRow = {
  id: number;
  name: string;
  user_id: number;
  login: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
};

const columns = "t.id, t.name, t.user_id, u.login, t.created_at, t.expires_at, t.used_at";

const join = "JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id";

/** Whose tokens: a user's, or everybody's of an enterprise. */
export type TokenScope = Readonly<{ enterpriseId: number; userId?: number }>;

export type NewApiToken = Readonly<{ hash: Buffer; name: string; days: number }>;

/** The owner of an API token that is not expired, while the user is active. */
export async function findApiTokenCaller(
  db: Queryable,
  hash: Buffer,
  token: string,
): Promise<Authenticated | undefined> {
  const [row] = await preparedRowsOf<CallerRow & { is_stale: boolean }>(
    db,
    `SELECT ${callerColumns},
       coalesce(t.used_at < now() - interval '1 minute', true) AS is_stale
     FROM api_tokens t
     JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id
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

/** The tokens that are good, the newest first. */
export async function listApiTokens(
  db: Queryable,
  { enterpriseId, userId = 0 }: TokenScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; tokens: ApiToken[] }> {
  const good = "t.enterprise_id = ? AND ?::bigint IN (0, t.user_id) AND t.expires_at > now()";
  const [counted] = await rowsOf<{ total: number }>(
    db,
    `SELECT count(*) AS total FROM api_tokens t WHERE ${good}`,
    [enterpriseId, userId],
  );
  const rows = await rowsOf<ApiTokenRow>(
    db,
    `SELECT ${columns} FROM api_tokens t ${join} WHERE ${good}
     ORDER BY t.id DESC LIMIT ? OFFSET ?`,
    [enterpriseId, userId, limit, offset],
  );
  return { total: counted?.total ?? 0, tokens: rows.map(toApiToken) };
}

export async function insertApiToken(
  trx: Trx,
  owner: TokenOwner,
  { hash, name, days }: NewApiToken,
): Promise<ApiToken> {
  const [row] = await rowsOf<ApiTokenRow>(
    trx,
    `WITH t AS (INSERT INTO api_tokens (hash, enterprise_id, user_id, name, expires_at)
       VALUES (?, ?, ?, ?, now() + make_interval(days => ?)) RETURNING *)
     SELECT ${columns} FROM t ${join}`,
    [hash, owner.enterpriseId, owner.userId, name, days],
  );
  if (row === undefined) {
    throw new Error("The API token was not stored");
  }
  return toApiToken(row);
}

function toApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    user: { id: row.user_id, login: row.login },
    created: row.created_at,
    expires: row.expires_at,
    used: row.used_at,
  };
}

/** Out: what was deleted, and its user's role. */
export async function deleteApiToken(
  trx: Trx,
  { enterpriseId, userId = 0 }: TokenScope,
  id: number,
): Promise<{ name: string; userId: number; role: Role } | undefined> {
  const [row] = await rowsOf<{ name: string; user_id: number; role: Role }>(
    trx,
    `DELETE FROM api_tokens t USING users u
     WHERE t.enterprise_id = ? AND ?::bigint IN (0, t.user_id) AND t.id = ?
       AND u.enterprise_id = t.enterprise_id AND u.id = t.user_id
     RETURNING t.name, t.user_id, u.role`,
    [enterpriseId, userId, id],
  );
  return row && { name: row.name, userId: row.user_id, role: row.role };
}

/** Whether what a call came with is still good, after the user was locked. */
export async function isStillSignedIn(
  trx: Trx,
  owner: TokenOwner,
  presented: { hash: Buffer; sessionId: number | undefined },
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `SELECT FROM users u WHERE u.enterprise_id = ? AND u.id = ? AND u.is_active AND (
       EXISTS (SELECT FROM tokens WHERE user_id = u.id AND hash = ? AND kind = 'access')
       OR EXISTS (SELECT FROM browser_sessions WHERE user_id = u.id AND id = ?))`,
    [owner.enterpriseId, owner.userId, presented.hash, presented.sessionId ?? 0],
  );
  return rows.length === 1;
}
