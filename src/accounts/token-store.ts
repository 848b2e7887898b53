import type { TicketRef } from "../contracts/tickets.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { sharedRowsOf } from "../platform/db/prepared.ts";
import type { Ids } from "../platform/ids.ts";
import { hashToken, userChanged } from "./identities.ts";

export type TokenOwner = Readonly<{ userId: number; enterpriseId: number }>;

/** The columns of a user that sign-in needs. */
export type LoginUser = Readonly<{
  userId: number;
  enterpriseId: number;
  passwordHash: string;
  isActive: boolean;
}>;

/** A user as returned by `GET users/me`, with the API key of their enterprise. */
export type Profile = Readonly<{
  userId: number;
  enterpriseId: number;
  apiKey: string;
  nickname: string;
  isAgent: boolean;
  email: string;
  photoUrl: string | undefined;
}>;

export type NewToken = {
  hash: Buffer;
  owner: TokenOwner;
  kind: "access" | "refresh" | "reset";
  family: string;
  ttlSeconds: number;
};

export type RefreshToken = {
  owner: TokenOwner;
  family: string;
  isUsed: boolean;
  isValid: boolean;
};

export type NewSsoToken = Readonly<{
  hash: Buffer;
  family: string;
  enterpriseId: number;
  userId: number;
  ticketId: number;
  expiresAt: Date;
}>;

/** The user with this login (case-insensitive). Logins are unique across enterprises. */
export async function findLoginUser(db: Queryable, login: string): Promise<LoginUser | undefined> {
  const [row] = await rowsOf<{
    id: number;
    enterprise_id: number;
    password_hash: string;
    is_active: boolean;
  }>(
    db,
    "SELECT id, enterprise_id, password_hash, is_active FROM users WHERE lower(login) = lower(?)",
    [login],
  );
  return row === undefined
    ? undefined
    : {
        userId: row.id,
        enterpriseId: row.enterprise_id,
        passwordHash: row.password_hash,
        isActive: row.is_active,
      };
}

/**
 * The same for all spellings that `findLoginUser` takes for one login. JavaScript folds some
 * characters differently, such as U+0130.
 */
export async function foldLogin(db: Queryable, login: string): Promise<string> {
  const [row] = await rowsOf<{ login: string }>(db, "SELECT lower(?) AS login", [login]);
  return row?.login ?? login;
}

/**
 * Upgrades a hash with outdated parameters, unless the password was changed since. Returns
 * whether it did.
 */
export async function replacePasswordHash(
  db: Queryable,
  user: LoginUser,
  passwordHash: string,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `UPDATE users SET password_hash = ?
     WHERE enterprise_id = ? AND id = ? AND password_hash = ? RETURNING id`,
    [passwordHash, user.enterpriseId, user.userId, user.passwordHash],
  );
  return rows.length === 1;
}

/** Stores a token by its hash. Returns its creation time by the database's clock. */
export async function insertToken(db: Queryable, token: NewToken): Promise<Date> {
  const [row] = await rowsOf<{ created_at: Date }>(
    db,
    `INSERT INTO tokens (hash, enterprise_id, user_id, kind, family, expires_at)
     VALUES (?, ?, ?, ?, ?, now() + make_interval(secs => ?)) RETURNING created_at`,
    [
      token.hash,
      token.owner.enterpriseId,
      token.owner.userId,
      token.kind,
      token.family,
      token.ttlSeconds,
    ],
  );
  if (row === undefined) {
    throw new Error("The token was not stored");
  }
  return row.created_at;
}

/**
 * A refresh token, locked until the commit: of two concurrent callers, the second sees that it was
 * used. Valid if it has not expired and its user is active.
 */
export async function lockRefreshToken(trx: Trx, hash: Buffer): Promise<RefreshToken | undefined> {
  const [row] = await rowsOf<{
    enterprise_id: number;
    user_id: number;
    family: string;
    is_used: boolean;
    is_valid: boolean;
  }>(
    trx,
    `SELECT t.enterprise_id, t.user_id, t.family, t.used_at IS NOT NULL AS is_used,
       t.expires_at > now() AND u.is_active AS is_valid
     FROM tokens t JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id
     WHERE t.hash = ? AND t.kind = 'refresh' FOR UPDATE OF t`,
    [hash],
  );
  return row === undefined
    ? undefined
    : {
        owner: { enterpriseId: row.enterprise_id, userId: row.user_id },
        family: row.family,
        isUsed: row.is_used,
        isValid: row.is_valid,
      };
}

/** Marks a refresh token as used. The row stays until it expires, to detect reuse. */
export async function markTokenUsed(trx: Trx, hash: Buffer): Promise<void> {
  await rowsOf(trx, "UPDATE tokens SET used_at = now() WHERE hash = ?", [hash]);
}

/** Stores an SSO token for one ticket. */
export async function insertSsoToken(trx: Trx, token: NewSsoToken): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO tokens (hash, enterprise_id, user_id, kind, family, ticket_id, expires_at)
     VALUES (?, ?, ?, 'sso', ?, ?, ?)`,
    [token.hash, token.enterpriseId, token.userId, token.family, token.ticketId, token.expiresAt],
  );
}

/** What a valid SSO token gives: its user's rights on its ticket, until it ends. */
export type TicketGrant = Readonly<{ owner: TokenOwner; ticketId: number; expiresAt: Date }>;

/**
 * The grant of a valid SSO token for this ticket. The lock makes `deleteSsoTokens` wait, so that it
 * finds the session that the caller opens.
 */
export async function findSsoGrant(
  db: Trx,
  { hash, ticketId }: Readonly<{ hash: Buffer; ticketId: number }>,
): Promise<TicketGrant | undefined> {
  const [row] = await rowsOf<{ enterprise_id: number; user_id: number; expires_at: Date }>(
    db,
    `SELECT t.enterprise_id, t.user_id, t.expires_at FROM tokens t
     JOIN users u ON u.enterprise_id = t.enterprise_id AND u.id = t.user_id
     WHERE t.hash = ? AND t.kind = 'sso' AND t.ticket_id = ? AND t.expires_at > now()
       AND u.is_active FOR SHARE OF t`,
    [hash, ticketId],
  );
  return row === undefined
    ? undefined
    : {
        owner: { enterpriseId: row.enterprise_id, userId: row.user_id },
        ticketId,
        expiresAt: row.expires_at,
      };
}

/** Moves the end of the SSO tokens that end at `from`. Those for a call page end at another time. */
export async function moveSsoTokens(
  trx: Trx,
  { enterpriseId, ticketId }: TicketRef,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  const moved = await rowsOf<{ user_id: number }>(
    trx,
    `UPDATE tokens SET expires_at = ?
     WHERE enterprise_id = ? AND ticket_id = ? AND kind = 'sso' AND expires_at = ?
     RETURNING user_id`,
    [to, enterpriseId, ticketId, from],
  );
  moved.forEach((token) => userChanged(trx, token.user_id));
}

/** Deletes the SSO tokens of the ticket. */
export async function deleteSsoTokens(
  trx: Trx,
  { enterpriseId, ticketId }: TicketRef,
): Promise<void> {
  await rowsOf(trx, "DELETE FROM tokens WHERE enterprise_id = ? AND ticket_id = ?", [
    enterpriseId,
    ticketId,
  ]);
}

/** Revokes all tokens of one sign-in. Lock the user first. */
export async function deleteFamily(trx: Trx, family: string): Promise<void> {
  const tokens = await rowsOf<{ user_id: number }>(
    trx,
    "DELETE FROM tokens WHERE family = ? RETURNING user_id",
    [family],
  );
  tokens.forEach((token) => userChanged(trx, token.user_id));
}

/** Revokes a token and all others of the same sign-in. Lock the user first. */
export async function deleteFamilyOf(trx: Trx, hash: Buffer): Promise<void> {
  const tokens = await rowsOf<{ user_id: number }>(
    trx,
    `DELETE FROM tokens WHERE family = (SELECT family FROM tokens WHERE hash = ?)
     RETURNING user_id`,
    [hash],
  );
  tokens.forEach((token) => userChanged(trx, token.user_id));
}

/** A user with the API key of their enterprise. */
export async function findProfile(
  db: Queryable,
  enterpriseId: number,
  userId: number,
): Promise<Profile | undefined> {
  const [row] = await sharedRowsOf<{
    api_key: string;
    name: string;
    is_agent: boolean;
    email: string;
    photo_url: string | null;
  }>(
    db,
    // The agent module refuses an empty nickname.
    `SELECT e.api_key, u.is_agent, u.email, u.photo_url,
       coalesce(nullif(u.nickname, ''), nullif(trim(u.firstname || ' ' || u.lastname), ''),
                u.login) AS name
     FROM users u JOIN enterprises e ON e.id = u.enterprise_id
     WHERE u.enterprise_id = ? AND u.id = ?`,
    [enterpriseId, userId],
  );
  return row === undefined
    ? undefined
    : {
        userId,
        enterpriseId,
        apiKey: row.api_key,
        nickname: row.name,
        isAgent: row.is_agent,
        email: row.email,
        photoUrl: row.photo_url ?? undefined,
      };
}

/** A random opaque token and its hash; only the hash is stored. */
export function newToken(ids: Pick<Ids, "bytes">): { token: string; hash: Buffer } {
  const token = ids.bytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

const apiTokenPrefix = "slt_";

/** A random API token. The prefix lets people and secret scanners recognize it. */
export function newApiToken(ids: Pick<Ids, "bytes">): { token: string; hash: Buffer } {
  const token = `${apiTokenPrefix}${ids.bytes(32).toString("base64url")}`;
  return { token, hash: hashToken(token) };
}
