/** Who is connected, to whichever process: rows that their process keeps alive. */
import type { RoomRef } from "../contracts/rooms.ts";
import type { PresenceState, Peer, PeerRole } from "../contracts/signalling.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

export type Presence = Readonly<{ id: string; enterpriseId: number; userId: number }>;

type Liveness = Readonly<{ now: Date; goneMs: number }>;

export type RoomPeer = Peer & RoomRef & Readonly<{ participant: string }>;

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

function aliveSince({ now, goneMs }: Liveness): Date {
  return new Date(now.getTime() - goneMs);
}

/**
 * Takes over the place of a connection that was lost a moment ago. False where it is gone, or was
 * somebody else's.
 */
export async function resumePeer(
  db: Queryable,
  { id, enterpriseId, conversationId, participant }: Omit<RoomPeer, "role" | "name">,
  context: Liveness,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `UPDATE room_peers SET seen_at = ? WHERE id = ? AND enterprise_id = ? AND conversation_id = ?
       AND participant = ? AND seen_at > ? RETURNING 1`,
    [context.now, id, enterpriseId, conversationId, participant, aliveSince(context)],
  );
  return rows.length === 1;
}

/** How many connections of one participant the room has. */
export async function countPeers(
  db: Queryable,
  { enterpriseId, conversationId, participant }: Omit<RoomPeer, keyof Peer>,
  context: Liveness,
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM room_peers
     WHERE enterprise_id = ? AND conversation_id = ? AND participant = ? AND seen_at > ?`,
    [enterpriseId, conversationId, participant, aliveSince(context)],
  );
  return row?.count ?? 0;
}

/** These connections are there: new ones, and those that were before. */
export async function keepPeersAlive(
  db: Queryable,
  peers: readonly RoomPeer[],
  now: Date,
): Promise<void> {
  const values = peers.map((peer) => ({
    id: peer.id,
    enterprise_id: peer.enterpriseId,
    conversation_id: peer.conversationId,
    participant: peer.participant,
    role: peer.role,
    name: peer.name,
  }));
  // A conversation that was purged meanwhile has no peers any more.
  await rowsOf(
    db,
    `INSERT INTO room_peers (id, enterprise_id, conversation_id, participant, role, name, seen_at)
     SELECT given.id, v.enterprise_id, v.id, participant, role, name, ?
     FROM json_to_recordset(?::json) AS given (id uuid, enterprise_id bigint,
       conversation_id bigint, participant text, role text, name text)
     JOIN conversations v ON v.enterprise_id = given.enterprise_id AND v.id = given.conversation_id
     ORDER BY given.id
     ON CONFLICT (id) DO UPDATE SET seen_at = greatest(room_peers.seen_at, excluded.seen_at)`,
    [now, JSON.stringify(values)],
  );
}

/** Somebody left on purpose. */
export async function deletePeer(
  db: Queryable,
  { id, enterpriseId }: Pick<RoomPeer, "id" | "enterpriseId">,
): Promise<void> {
  await rowsOf(db, "DELETE FROM room_peers WHERE enterprise_id = ? AND id = ?", [enterpriseId, id]);
}

/** Who is connected to these rooms. */
export async function listPeers(
  db: Queryable,
  conversationIds: readonly number[],
  context: Liveness,
): Promise<(Peer & { conversationId: number })[]> {
  const rows = await rowsOf<{
    id: string;
    conversation_id: number;
    role: PeerRole;
    name: string;
  }>(
    db,
    `SELECT id, conversation_id, role, name FROM room_peers
     WHERE conversation_id = ANY(?::bigint[]) AND seen_at > ? ORDER BY id`,
    [[...conversationIds], aliveSince(context)],
  );
  return rows.map(({ conversation_id: conversationId, ...peer }) => ({ ...peer, conversationId }));
}

/** Removes the rows of connections that ended long ago, whose process may be dead. */
export async function deleteOldPeers(db: Queryable, context: Liveness): Promise<void> {
  await rowsOf(db, "DELETE FROM room_peers WHERE seen_at <= ?", [aliveSince(context)]);
}
