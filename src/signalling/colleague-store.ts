/** Direct messages between two users of an enterprise, and the colleague directory. */
import { administratorRoles } from "../contracts/permissions.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

/** A pair of users from the point of view of `userId`. */
export type UserPair = Readonly<{ enterpriseId: number; userId: number; otherId: number }>;

export type DirectMessage = Readonly<{
  id: number;
  enterpriseId: number;
  senderId: number;
  recipientId: number;
  /** Display name of the sender. */
  name: string;
  text: string;
  at: Date;
  clientKey: string;
}>;

type DirectRow = {
  id: number;
  enterprise_id: number;
  sender_id: number;
  recipient_id: number;
  name: string;
  text: string;
  created_at: Date;
  client_key: string;
};

const directColumns = `m.id, m.enterprise_id, m.sender_id,
  CASE WHEN m.sender_id = t.low_user_id THEN t.high_user_id ELSE t.low_user_id END AS recipient_id,
  coalesce(nullif(u.nickname, ''), u.login) AS name, m.text, m.created_at, m.client_key`;

const directSource = `direct_messages m
  JOIN direct_threads t ON t.enterprise_id = m.enterprise_id AND t.id = m.thread_id
  JOIN users u ON u.enterprise_id = m.enterprise_id AND u.id = m.sender_id`;

const ofPairSql = "t.enterprise_id = ? AND t.low_user_id = ? AND t.high_user_id = ?";

export type TailQuery = Readonly<{ enterpriseIds: readonly number[] }> &
  Readonly<{ ids: readonly number[] } | { after: number }>;

/**
 * Inserts a message from `userId`. The upsert locks the thread row, so ids of a thread follow
 * commit order. Idempotent by `clientKey`. Out: the id, and whether the message existed before.
 */
export async function insertDirect(
  trx: Trx,
  pair: UserPair,
  { text, clientKey, at }: Readonly<{ text: string; clientKey: string; at: Date }>,
): Promise<{ id: number; isKnown: boolean }> {
  const [thread] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO direct_threads (enterprise_id, low_user_id, high_user_id, last_at)
     VALUES (?, ?, ?, ?)
     ON CONFLICT (enterprise_id, low_user_id, high_user_id)
       DO UPDATE SET last_at = greatest(direct_threads.last_at, excluded.last_at)
     RETURNING id`,
    [...bindPair(pair), at],
  );
  const [row] = await rowsOf<{ id: number; is_known: boolean }>(
    trx,
    `INSERT INTO direct_messages (enterprise_id, thread_id, sender_id, text, client_key, created_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (thread_id, client_key) DO UPDATE SET client_key = excluded.client_key
     RETURNING id, xmax <> 0 AS is_known`,
    [pair.enterpriseId, thread?.id, pair.userId, text, clientKey, at],
  );
  if (row === undefined) {
    throw new Error("The message was not inserted");
  }
  return { id: row.id, isKnown: row.is_known };
}

/** Keyset page of a pair's messages: before or after an id, or the newest. Oldest first. */
export async function readDirect(
  db: Queryable,
  pair: UserPair,
  { before, after, limit }: Readonly<{ before?: number; after?: number; limit: number }>,
): Promise<DirectMessage[]> {
  const rows = await rowsOf<DirectRow>(
    db,
    `SELECT ${directColumns} FROM ${directSource} WHERE ${ofPairSql} AND m.id < ? AND m.id > ?
     ORDER BY m.id ${after === undefined ? "DESC" : "ASC"} LIMIT ?`,
    [...bindPair(pair), before ?? Number.MAX_SAFE_INTEGER, after ?? 0, limit],
  );
  return rows.map(toDirect).toSorted((a, b) => a.id - b.id);
}

export async function haveThread(db: Queryable, pair: UserPair): Promise<boolean> {
  const rows = await rowsOf(db, `SELECT FROM direct_threads t WHERE ${ofPairSql}`, bindPair(pair));
  return rows.length === 1;
}

function bindPair({ enterpriseId, userId, otherId }: UserPair): number[] {
  return [enterpriseId, Math.min(userId, otherId), Math.max(userId, otherId)];
}

/** Messages of these enterprises: by ids, or after a cursor. */
export async function tailDirect(db: Queryable, query: TailQuery): Promise<DirectMessage[]> {
  const rows = await rowsOf<DirectRow>(
    db,
    `SELECT ${directColumns} FROM ${directSource} WHERE m.enterprise_id = ANY(?::bigint[])
       AND ${"ids" in query ? "m.id = ANY(?::bigint[])" : "m.id > ?"} ORDER BY m.id LIMIT 1000`,
    [[...query.enterpriseIds], "ids" in query ? [...query.ids] : query.after],
  );
  return rows.map(toDirect);
}

function toDirect(row: DirectRow): DirectMessage {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    senderId: row.sender_id,
    recipientId: row.recipient_id,
    name: row.name,
    text: row.text,
    at: row.created_at,
    clientKey: row.client_key,
  };
}

/** The tail's initial cursor. */
export async function lastDirectId(db: Queryable): Promise<number> {
  const [row] = await rowsOf<{ id: number | null }>(
    db,
    "SELECT max(id) AS id FROM direct_messages",
  );
  return row?.id ?? 0;
}

/** Deletes one batch of messages older than `before`. Out: the number of deleted rows. */
export async function deleteOldDirect(db: Queryable, before: Date): Promise<number> {
  const rows = await rowsOf(
    db,
    `DELETE FROM direct_messages WHERE id IN (
       SELECT id FROM direct_messages WHERE created_at < ? ORDER BY created_at LIMIT 1000
     ) RETURNING 1`,
    [before],
  );
  return rows.length;
}

/** The user whose directory is read. */
export type DirectoryViewer = Readonly<{
  enterpriseId: number;
  userId: number;
  groupIds: readonly number[];
  /** Set for managers and administrators. */
  seesAll: boolean;
}>;

export type Colleague = Readonly<{ id: number; nickname: string }>;

/** Condition on `users u`: visible to the viewer. */
const isVisibleSql = `u.role NOT IN ('viewer', 'integration')
  AND (? OR u.role = ANY(?::text[]) OR EXISTS (SELECT FROM group_members m
    WHERE m.user_id = u.id AND m.group_id = ANY(?::bigint[])))`;

const maxColleagues = 1_000;

/**
 * Active users except viewers and integrations. A viewer who may see all users, or has no group,
 * sees everybody; others see their groups' members and the administrators.
 */
export function listColleagues(db: Queryable, viewer: DirectoryViewer): Promise<Colleague[]> {
  return rowsOf<Colleague>(
    db,
    `SELECT u.id, coalesce(nullif(u.nickname, ''), u.login) AS nickname FROM users u
     WHERE u.enterprise_id = ? AND u.id <> ? AND u.is_active AND ${isVisibleSql}
     ORDER BY lower(coalesce(nullif(u.nickname, ''), u.login)), u.id LIMIT ${maxColleagues}`,
    [viewer.enterpriseId, viewer.userId, ...bindVisible(viewer)],
  );
}

/** Another active user of the enterprise, and whether they are visible to the viewer. */
export async function findColleague(
  db: Queryable,
  viewer: DirectoryViewer,
  id: number,
): Promise<{ colleague: Colleague; isSeen: boolean } | undefined> {
  const [row] = await rowsOf<Colleague & { is_seen: boolean }>(
    db,
    `SELECT u.id, coalesce(nullif(u.nickname, ''), u.login) AS nickname, (${isVisibleSql}) AS is_seen
     FROM users u WHERE u.enterprise_id = ? AND u.id = ? AND u.id <> ? AND u.is_active`,
    [...bindVisible(viewer), viewer.enterpriseId, id, viewer.userId],
  );
  return row && { colleague: { id: row.id, nickname: row.nickname }, isSeen: row.is_seen };
}

function bindVisible({ seesAll, groupIds }: DirectoryViewer) {
  return [seesAll || groupIds.length === 0, [...administratorRoles], [...groupIds]];
}
