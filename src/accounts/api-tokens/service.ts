/** Long-lived tokens for programs. They act with the current role of their user. */
import type { AuditLog } from "../../contracts/audit.ts";
import { problem, orNotFound } from "../../contracts/problems.ts";
import { badToken } from "../../http/authorize.ts";
import type { Caller } from "../../http/route.ts";
import { type Db, rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Ids } from "../../platform/ids.ts";
import { recordChange, type AdminActor } from "../changes.ts";
import { hashToken, userChanged, isApiToken } from "../identities.ts";
import { type TokenOwner, newApiToken } from "../token-store.ts";
import { checkRoles } from "../users/model.ts";
import { lockUser } from "../users/store.ts";
import type { Role } from "../../contracts/permissions.ts";

export type ApiTokensDeps = Readonly<{ db: Db; ids: Pick<Ids, "bytes">; audit: AuditLog<Trx> }>;

/** Per user. */
export const maxApiTokens = 50;

type ApiTokenPage = Readonly<{ limit: number; offset: number }>;

export type ApiTokens = {
  /** The caller has checked access to the enterprise. */
  list(scope: TokenScope, page: ApiTokenPage): Promise<{ total: number; tokens: ApiToken[] }>;
  /** The token itself is returned once and not stored. */
  create(
    actor: AdminActor,
    presented: Pick<Caller, "token" | "sessionId">,
    wanted: { name: string; days: number },
  ): Promise<{ token: string; apiToken: ApiToken }>;
  /** Throws 404 if the scope has no such token. */
  revoke(actor: AdminActor, scope: TokenScope, id: number): Promise<void>;
};

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

/** The tokens of one user, or of all users of an enterprise. */
export type TokenScope = Readonly<{ enterpriseId: number; userId?: number }>;

export type NewApiToken = Readonly<{ hash: Buffer; name: string; days: number }>;

export function createApiTokens({ db, ids, audit }: ApiTokensDeps): ApiTokens {
  return {
    list: (scope, page) => listApiTokens(db, scope, page),
    create: async (actor, presented, { name, days }) => {
      if (isApiToken(presented.token)) {
        throw problem("forbidden", "API tokens cannot create API tokens. Sign in with a password.");
      }
      const { token, hash } = newApiToken(ids);
      const apiToken = await inTransaction(db, async (trx) => {
        // Serializes with password changes: they revoke existing tokens, so none may be added
        // during one.
        await lockUser(trx, actor.enterpriseId, actor.userId);
        const { sessionId } = presented;
        const credential = { hash: hashToken(presented.token), sessionId };
        if (!(await isStillSignedIn(trx, actor, credential))) {
          throw badToken();
        }
        await checkQuota(trx, actor);
        const added = await insertApiToken(trx, actor, { hash, name, days });
        await recordChange(trx, audit, actor, {
          action: "create",
          object: "api_token",
          objectId: added.id,
          changes: { name: { to: name }, days: { to: days } },
        });
        return added;
      });
      return { token, apiToken };
    },
    revoke: (actor, scope, id) =>
      inTransaction(db, async (trx) => {
        const ended = orNotFound(await deleteApiToken(trx, scope, id), "API token", id);
        checkRoles(actor, ended.role);
        await recordChange(trx, audit, actor, {
          enterpriseId: scope.enterpriseId,
          action: "revoke",
          object: "api_token",
          objectId: id,
          changes: { name: { from: ended.name }, user: { from: ended.userId } },
        });
      }),
  };
}

/** Whether the credential of the call is still valid, checked after the user was locked. */
async function isStillSignedIn(
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

async function checkQuota(db: Parameters<typeof listApiTokens>[0], owner: TokenOwner) {
  const { total } = await listApiTokens(db, owner, { limit: 0, offset: 0 });
  if (total >= maxApiTokens) {
    throw problem("quota_reached", `A user has at most ${maxApiTokens} API tokens.`);
  }
}

/** The valid tokens, newest first. */
async function listApiTokens(
  db: Queryable,
  { enterpriseId, userId = 0 }: TokenScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; tokens: ApiToken[] }> {
  const validSql = "t.enterprise_id = ? AND ?::bigint IN (0, t.user_id) AND t.expires_at > now()";
  const [counted] = await rowsOf<{ total: number }>(
    db,
    `SELECT count(*) AS total FROM api_tokens t WHERE ${validSql}`,
    [enterpriseId, userId],
  );
  const rows = await rowsOf<ApiTokenRow>(
    db,
    `SELECT ${columns} FROM api_tokens t ${join} WHERE ${validSql}
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

/** Returns the deleted token and the role of its user. */
async function deleteApiToken(
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
  if (row !== undefined) {
    userChanged(trx, row.user_id);
  }
  return row && { name: row.name, userId: row.user_id, role: row.role };
}
