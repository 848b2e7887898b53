/** Which users are connected, to whichever process: rows that their process keeps alive. */
import type { PresenceState } from "../contracts/signalling.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

export type Presence = Readonly<{ id: string; enterpriseId: number; userId: number }>;

export type Liveness = Readonly<{ now: Date; goneMs: number }>;

/** Of the user's connections that come at once, one is counted after the other. */
export async function lockUser(
  trx: Trx,
  { enterpriseId, userId }: Omit<Presence, "id">,
): Promise<void> {
  await rowsOf(trx, "SELECT FROM users WHERE enterprise_id = ? AND id = ? FOR NO KEY UPDATE", [
    enterpriseId,
    userId,
  ]);
}

/**
 * Writes down a connection, unless the user has `most` of them. Its state is that of the user's
 * other connections, so that who hid stays hidden on the next page, whatever a page that slept
 * meanwhile believes; where there are none, the one given. Hold the user first. Out: the state, or
 * undefined where there are too many.
 */
export async function insertPresence(
  trx: Trx,
  { id, enterpriseId, userId }: Presence,
  { state, most, ...context }: Liveness & Readonly<{ state: PresenceState | null; most: number }>,
): Promise<PresenceState | undefined> {
  const since = aliveSince(context);
  const [row] = await rowsOf<{ state: PresenceState }>(
    trx,
    `INSERT INTO presences (id, enterprise_id, user_id, state, seen_at)
     SELECT ?::uuid, ?::bigint, ?::bigint, coalesce((SELECT state FROM presences
         WHERE enterprise_id = ? AND user_id = ? AND seen_at > ?
         ORDER BY seen_at DESC LIMIT 1), ?, 'online'), ?::timestamptz
     WHERE (SELECT count(*) FROM presences
       WHERE enterprise_id = ? AND user_id = ? AND seen_at > ? AND NOT is_closed) < ?
     RETURNING state`,
    [
      ...[id, enterpriseId, userId],
      ...[enterpriseId, userId, since, state, context.now],
      ...[enterpriseId, userId, since, most],
    ],
  );
  return row?.state;
}

/**
 * These connections are there. A row that is gone (the database lost it, or this process was silent
 * for too long) comes back, with the state that its connection has. Out: the state of each, by id.
 */
export async function keepPresencesAlive(
  db: Queryable,
  presences: readonly (Presence & Readonly<{ state: PresenceState }>)[],
  now: Date,
): Promise<ReadonlyMap<string, PresenceState>> {
  const values = presences.map(({ id, enterpriseId, userId, state }) => ({
    id,
    enterprise_id: enterpriseId,
    user_id: userId,
    state,
  }));
  const rows = await rowsOf<{ id: string; state: PresenceState }>(
    db,
    `INSERT INTO presences (id, enterprise_id, user_id, state, seen_at)
     SELECT id, enterprise_id, user_id, state, ?
     FROM json_to_recordset(?::json)
       AS given (id uuid, enterprise_id bigint, user_id bigint, state text)
     ORDER BY id
     ON CONFLICT (id) DO UPDATE SET seen_at = greatest(presences.seen_at, excluded.seen_at)
     RETURNING id, state`,
    [now, JSON.stringify(values)],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** The state of a user, on all of their connections: locked in the order in which these beat. */
export async function setPresence(
  db: Queryable,
  { enterpriseId, userId }: Omit<Presence, "id">,
  state: PresenceState,
): Promise<void> {
  await rowsOf(
    db,
    `UPDATE presences SET state = ? WHERE id IN (SELECT id FROM presences
       WHERE enterprise_id = ? AND user_id = ? ORDER BY id FOR UPDATE)`,
    [state, enterpriseId, userId],
  );
}

/** A connection was lost: its user may come back for a while. */
export async function closePresence(
  db: Queryable,
  { id, enterpriseId }: Presence,
  now: Date,
): Promise<void> {
  await rowsOf(
    db,
    "UPDATE presences SET is_closed = true, seen_at = ? WHERE enterprise_id = ? AND id = ?",
    [now, enterpriseId, id],
  );
}

/** A user left on purpose. */
export async function deletePresence(db: Queryable, { id, enterpriseId }: Presence): Promise<void> {
  await rowsOf(db, "DELETE FROM presences WHERE enterprise_id = ? AND id = ?", [enterpriseId, id]);
}

/** The state of every user of these enterprises who is connected: online on any, then online. */
export async function listPresentUsers(
  db: Queryable,
  enterpriseIds: readonly number[],
  context: Liveness,
): Promise<{ enterpriseId: number; userId: number; state: PresenceState }[]> {
  const rows = await rowsOf<{ enterprise_id: number; user_id: number; state: PresenceState }>(
    db,
    `SELECT enterprise_id, user_id, max(state) AS state FROM presences
     WHERE enterprise_id = ANY(?::bigint[]) AND seen_at > ? GROUP BY enterprise_id, user_id`,
    [[...enterpriseIds], aliveSince(context)],
  );
  return rows.map((row) => ({
    enterpriseId: row.enterprise_id,
    userId: row.user_id,
    state: row.state,
  }));
}

/** Removes the rows of connections that ended long ago, whose process may be dead. */
export async function deleteOldPresences(db: Queryable, context: Liveness): Promise<void> {
  await rowsOf(db, "DELETE FROM presences WHERE seen_at <= ?", [aliveSince(context)]);
}

export function aliveSince({ now, goneMs }: Liveness): Date {
  return new Date(now.getTime() - goneMs);
}
