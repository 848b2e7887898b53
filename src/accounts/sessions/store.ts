import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { sharedRowsOf } from "../../platform/db/prepared.ts";
import {
  callerColumns,
  expiresInMsSql,
  enterpriseOfUserSql,
  toAuthenticated,
  type CallerRow,
  userChanged,
  type Identity,
} from "../identities.ts";
import type { TokenOwner } from "../token-store.ts";

/** Sessions expire after this time without a call. */
const idleTimeoutSql = "interval '30 minutes'";

/** Condition on `browser_sessions s`: neither idle nor expired. */
const isLiveSql = `s.seen_at > now() - ${idleTimeoutSql} AND s.expires_at > now()`;

export type FoundSession = Identity & Readonly<{ isEmbedded: boolean; expires: Date }>;

export type NewSession = Readonly<{
  hash: Buffer;
  owner: TokenOwner;
  isEmbedded: boolean;
  userAgent: string | null;
  /** Of an `sso_url`: its ticket, and when its token ends. Other tickets may follow. */
  ticketId?: number;
  endsAt?: Date;
}>;

export type StoredSession = Readonly<{
  id: number;
  userAgent: string | null;
  isEmbedded: boolean;
  created: Date;
  seen: Date;
  expires: Date;
}>;

export type UserWithEnterprise = Readonly<{
  user: Readonly<{
    id: number;
    login: string;
    nickname: string;
    email: string;
    isAgent: boolean;
    language: string | null;
    photoUrl: string | null;
  }>;
  enterprise: Readonly<{ id: number; name: string; timeZone: string; language: string }>;
}>;

/** Finds the session of a call and marks it as used. */
export async function findSessionByHash(
  db: Queryable,
  hash: Buffer,
): Promise<FoundSession | undefined> {
  const found = await findLiveSession(db, "s.hash = ?", hash);
  if (found?.isStale === true) {
    await markSeen(db, found.id);
  }
  return found;
}

/** Updates `seen_at` at most once a minute, to avoid a write per call. */
async function markSeen(db: Queryable, id: number): Promise<void> {
  await rowsOf(
    db,
    `UPDATE browser_sessions SET seen_at = now()
     WHERE id = ? AND seen_at < now() - interval '1 minute'`,
    [id],
  );
}

/** Finds a session by id, without marking it as used. */
export function findSessionById(db: Queryable, id: number): Promise<FoundSession | undefined> {
  return findLiveSession(db, "s.id = ?", id);
}

type BrowserSessionRow = CallerRow & {
  id: number;
  is_embedded: boolean;
  is_stale: boolean;
  expires_at: Date;
  ticket_id: number | null;
  ticket_ids: number[];
};

/**
 * Whether session `s` is no session of \`sso_url\`s, or still reaches a ticket. A process of an older
 * version stored its session without a list.
 */
const reachesSomethingSql = `(s.ticket_id IS NULL
       OR NOT EXISTS (SELECT FROM browser_session_tickets bst WHERE bst.session_id = s.id)
       OR EXISTS (SELECT FROM browser_session_tickets bst
                  WHERE bst.session_id = s.id AND bst.ends_at > now()))`;

/** Of the tickets that session `s` still reaches, if `sso_url`s opened it. */
const ticketsSql = `FROM browser_session_tickets bst
       WHERE bst.session_id = s.id AND bst.ends_at > now()`;

async function findLiveSession(
  db: Queryable,
  condition: "s.hash = ?" | "s.id = ?",
  value: Buffer | number,
): Promise<(FoundSession & { id: number; isStale: boolean }) | undefined> {
  const [row] = await sharedRowsOf<BrowserSessionRow>(
    db,
    `SELECT ${callerColumns}, s.id, s.is_embedded, s.expires_at, s.ticket_id,
       coalesce((SELECT json_agg(bst.ticket_id ORDER BY bst.ticket_id) ${ticketsSql}), '[]')
         AS ticket_ids,
       s.seen_at < now() - interval '1 minute' AS is_stale,
       ${expiresInMsSql(`least(s.expires_at, s.seen_at + ${idleTimeoutSql},
         (SELECT min(bst.ends_at) ${ticketsSql}))`)}
     FROM browser_sessions s
     JOIN users u ON u.id = s.user_id AND ${enterpriseOfUserSql} = s.enterprise_id
     JOIN enterprises e ON e.id = u.enterprise_id
     WHERE ${condition} AND ${isLiveSql} AND u.is_active AND ${reachesSomethingSql}`,
    [value],
  );
  return row === undefined
    ? undefined
    : {
        ...toAuthenticated(row, {
          ...{ token: "", sessionId: row.id },
          ...onlyTicketsOf(row),
        }),
        id: row.id,
        isEmbedded: row.is_embedded,
        expires: row.expires_at,
        isStale: row.is_stale,
      };
}

function onlyTicketsOf({ ticket_id: first, ticket_ids: all }: BrowserSessionRow) {
  if (first === null) {
    return {};
  }
  return { onlyTicketIds: all.length === 0 ? [first] : all };
}

/** Absolute lifetime, even if the session is used. */
export const maxSessionSeconds = 12 * 3_600;

const maxUserAgentLength = 512;

/** A header may contain anything except NUL, so only its length is bounded. */
export function userAgentOf(header: string | undefined): string | null {
  return header?.slice(0, maxUserAgentLength) ?? null;
}

/** Returns the id. */
export async function insertSession(trx: Trx, session: NewSession): Promise<number> {
  const { owner } = session;
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO browser_sessions (hash, enterprise_id, user_id, is_embedded, user_agent, ticket_id,
       expires_at)
     VALUES (?, ?, ?, ?, ?, ?,
       least(now() + make_interval(secs => ${maxSessionSeconds}), ?::timestamptz)) RETURNING id`,
    [
      ...[session.hash, owner.enterpriseId, owner.userId, session.isEmbedded, session.userAgent],
      ...[session.ticketId ?? null, session.endsAt ?? null],
    ],
  );
  if (row === undefined) {
    throw new Error("The session was not stored");
  }
  return row.id;
}

/** Deletes sessions. Returns for each whether it was opened in an iframe. */
export async function deleteSessions(
  db: Queryable,
  hashes: readonly Buffer[],
): Promise<{ isEmbedded: boolean }[]> {
  const rows = await rowsOf<{ is_embedded: boolean; user_id: number }>(
    db,
    "DELETE FROM browser_sessions WHERE hash = ANY(?::bytea[]) RETURNING is_embedded, user_id",
    [[...hashes]],
  );
  rows.forEach((row) => userChanged(db, row.user_id));
  return rows.map((row) => ({ isEmbedded: row.is_embedded }));
}

/** The valid sessions of the user, most recently used first. */
export async function listSessions(db: Queryable, owner: TokenOwner): Promise<StoredSession[]> {
  const rows = await rowsOf<{
    id: number;
    user_agent: string | null;
    is_embedded: boolean;
    created_at: Date;
    seen_at: Date;
    expires_at: Date;
  }>(
    db,
    `SELECT s.id, s.user_agent, s.is_embedded, s.created_at, s.seen_at, s.expires_at
     FROM browser_sessions s WHERE s.enterprise_id = ? AND s.user_id = ? AND ${isLiveSql}
     ORDER BY s.seen_at DESC, s.id DESC LIMIT 1000`,
    [owner.enterpriseId, owner.userId],
  );
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.user_agent,
    isEmbedded: row.is_embedded,
    created: row.created_at,
    seen: row.seen_at,
    expires: row.expires_at,
  }));
}

/** Returns whether the session existed and belonged to the user. */
export async function deleteSessionOfUser(
  trx: Trx,
  owner: TokenOwner,
  id: number,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    "DELETE FROM browser_sessions WHERE enterprise_id = ? AND user_id = ? AND id = ? RETURNING id",
    [owner.enterpriseId, owner.userId, id],
  );
  userChanged(trx, owner.userId);
  return rows.length === 1;
}

/** A user and their enterprise, as the console shows them. */
export async function findUserWithEnterprise(
  db: Queryable,
  owner: TokenOwner,
): Promise<UserWithEnterprise | undefined> {
  const [row] = await rowsOf<{
    id: number;
    login: string;
    nickname: string;
    email: string;
    is_agent: boolean;
    language: string | null;
    photo_url: string | null;
    enterprise_id: number;
    name: string;
    time_zone: string;
    enterprise_language: string;
  }>(
    db,
    `SELECT u.id, u.login, u.nickname, u.email, u.is_agent, u.language, u.photo_url,
       e.id AS enterprise_id, e.name, e.time_zone, e.language AS enterprise_language
     FROM users u JOIN enterprises e ON e.id = u.enterprise_id
     WHERE u.enterprise_id = ? AND u.id = ? AND u.is_active`,
    [owner.enterpriseId, owner.userId],
  );
  if (row === undefined) {
    return undefined;
  }
  return {
    user: {
      id: row.id,
      login: row.login,
      nickname: row.nickname,
      email: row.email,
      isAgent: row.is_agent,
      language: row.language,
      photoUrl: row.photo_url,
    },
    enterprise: {
      id: row.enterprise_id,
      name: row.name,
      timeZone: row.time_zone,
      language: row.enterprise_language,
    },
  };
}

/** When the access token or API token with this hash expires. */
export async function findTokenEnd(db: Queryable, hash: Buffer): Promise<Date | undefined> {
  const [row] = await rowsOf<{ expires_at: Date }>(
    db,
    `SELECT expires_at FROM tokens WHERE hash = ? AND kind = 'access'
     UNION ALL SELECT expires_at FROM api_tokens WHERE hash = ?`,
    [hash, hash],
  );
  return row?.expires_at;
}

/** Deletes expired sessions and API tokens. One bounded batch. */
export async function deleteExpiredSessions(db: Queryable): Promise<void> {
  await rowsOf(
    db,
    `DELETE FROM browser_sessions WHERE id IN (SELECT id FROM browser_sessions
       WHERE seen_at <= now() - ${idleTimeoutSql} OR expires_at <= now()
       ORDER BY seen_at LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  );
  await rowsOf(
    db,
    `DELETE FROM api_tokens WHERE id IN (SELECT id FROM api_tokens
       WHERE expires_at <= now() ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  );
}
