/** Presence leases: one row per connection of any process, renewed by heartbeats. */
import type { PresenceState } from "../contracts/signalling.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

export type Presence = Readonly<{ id: string; enterpriseId: number; userId: number }>;

export type Liveness = Readonly<{ now: Date; goneMs: number }>;

/** Serializes concurrent connections of a user, so that the count in `insertPresence` is exact. */
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
 * Inserts a presence row unless the user has `most` open connections; the caller holds `lockUser`.
 * The state comes from the user's other connections, so an offline user stays offline on a new
 * page; `state` applies only without other connections. Out: the state, or undefined over the
 * limit.
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
 * Heartbeat: renews the leases. A row that expired or was lost is inserted again with its
 * connection's state. Out: the stored state by id.
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
       AS input (id uuid, enterprise_id bigint, user_id bigint, state text)
     ORDER BY id
     ON CONFLICT (id) DO UPDATE SET seen_at = greatest(presences.seen_at, excluded.seen_at)
     RETURNING id, state`,
    [now, JSON.stringify(values)],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/**
 * Sets the state on all connections of a user. Locks rows in id order, as heartbeats do, to avoid
 * deadlocks.
 */
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

/**
 * Marks a lost connection. The user counts as present until the lease expires, so a reload is not
 * visible to others.
 */
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

/** Deletes the row at once: the client disconnected explicitly. */
export async function deletePresence(db: Queryable, { id, enterpriseId }: Presence): Promise<void> {
  await rowsOf(db, "DELETE FROM presences WHERE enterprise_id = ? AND id = ?", [enterpriseId, id]);
}

/** Connected users with their state. `max(state)`: one online connection makes the user online. */
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

/** Deletes expired leases, including those of crashed processes. */
export async function deleteOldPresences(db: Queryable, context: Liveness): Promise<void> {
  await rowsOf(db, "DELETE FROM presences WHERE seen_at <= ?", [aliveSince(context)]);
}

export function aliveSince({ now, goneMs }: Liveness): Date {
  return new Date(now.getTime() - goneMs);
}
