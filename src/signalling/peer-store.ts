/** Who is connected to a room, to whichever process. */
import type { Peer, PeerRole } from "../contracts/signalling.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

export type PeerPlace = Readonly<{ enterpriseId: number; conversationId: number }>;

export type RoomPeer = Peer & PeerPlace & Readonly<{ participant: string }>;

type Moment = Readonly<{ now: Date; goneMs: number }>;

/**
 * Takes over the place of a connection that was lost a moment ago. False where it is gone, or was
 * somebody else's.
 */
export async function resumePeer(
  db: Queryable,
  { id, enterpriseId, conversationId, participant }: Omit<RoomPeer, "role" | "name">,
  moment: Moment,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `UPDATE room_peers SET seen_at = ? WHERE id = ? AND enterprise_id = ? AND conversation_id = ?
       AND participant = ? AND seen_at > ? RETURNING 1`,
    [moment.now, id, enterpriseId, conversationId, participant, aliveSince(moment)],
  );
  return rows.length === 1;
}

/** How many connections of one participant the room has. */
export async function countPeers(
  db: Queryable,
  { enterpriseId, conversationId, participant }: Omit<RoomPeer, keyof Peer>,
  moment: Moment,
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM room_peers
     WHERE enterprise_id = ? AND conversation_id = ? AND participant = ? AND seen_at > ?`,
    [enterpriseId, conversationId, participant, aliveSince(moment)],
  );
  return row?.count ?? 0;
}

/** These connections are there: new ones, and those that were before. */
export async function beatPeers(
  db: Queryable,
  peers: readonly RoomPeer[],
  now: Date,
): Promise<void> {
  const given = peers.map((peer) => ({
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
    [now, JSON.stringify(given)],
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
  moment: Moment,
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
    [[...conversationIds], aliveSince(moment)],
  );
  return rows.map(({ conversation_id: conversationId, ...peer }) => ({ ...peer, conversationId }));
}

/** Removes the rows of connections that ended long ago, whose process may be dead. */
export async function deleteOldPeers(db: Queryable, moment: Moment): Promise<void> {
  await rowsOf(db, "DELETE FROM room_peers WHERE seen_at <= ?", [aliveSince(moment)]);
}

function aliveSince({ now, goneMs }: Moment): Date {
  return new Date(now.getTime() - goneMs);
}
