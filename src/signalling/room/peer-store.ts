/** Which pages are connected to rooms, to whichever process: rows that their process keeps alive. */
import { initialPeerState, type PeerState, type RoomPeer } from "../../contracts/room-messages.ts";
import type { RoomRef } from "../../contracts/rooms.ts";
import type { PeerRole } from "../../contracts/signalling.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { aliveSince, type Liveness } from "../presence-store.ts";

export type PeerRef = RoomRef & Readonly<{ id: string }>;

export type StoredPeer = PeerRef &
  Readonly<{
    participant: string;
    role: PeerRole;
    name: string;
    isInCall: boolean;
    state: PeerState;
  }>;

/**
 * Takes over the place of a connection that was lost a moment ago. Undefined if it is gone, or
 * belonged to somebody else.
 */
export async function resumePeer(
  db: Queryable,
  { id, enterpriseId, conversationId, participant }: PeerRef & Readonly<{ participant: string }>,
  context: Liveness,
): Promise<Pick<StoredPeer, "isInCall" | "state"> | undefined> {
  const [row] = await rowsOf<{ is_in_call: boolean; state: Partial<PeerState> }>(
    db,
    `UPDATE room_peers SET seen_at = ? WHERE id = ? AND enterprise_id = ? AND conversation_id = ?
       AND participant = ? AND seen_at > ? RETURNING is_in_call, state`,
    [context.now, id, enterpriseId, conversationId, participant, aliveSince(context)],
  );
  return row && { isInCall: row.is_in_call, state: { ...initialPeerState, ...row.state } };
}

/** How many connections of one participant the room has. */
export async function countPeers(
  db: Queryable,
  { enterpriseId, conversationId, participant }: RoomRef & Readonly<{ participant: string }>,
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

/** Stores these connections, new and old, with what their pages report. */
export async function keepPeersAlive(
  db: Queryable,
  peers: readonly StoredPeer[],
  now: Date,
): Promise<void> {
  const values = peers.map((peer) => ({
    id: peer.id,
    enterprise_id: peer.enterpriseId,
    conversation_id: peer.conversationId,
    participant: peer.participant,
    role: peer.role,
    name: peer.name,
    is_in_call: peer.isInCall,
    state: peer.state,
  }));
  // A conversation that was purged meanwhile has no peers any more.
  await rowsOf(
    db,
    `INSERT INTO room_peers (id, enterprise_id, conversation_id, participant, role, name,
       is_in_call, state, seen_at)
     SELECT given.id, v.enterprise_id, v.id, participant, role, name, is_in_call, state, ?
     FROM json_to_recordset(?::json) AS given (id uuid, enterprise_id bigint,
       conversation_id bigint, participant text, role text, name text, is_in_call boolean,
       state jsonb)
     JOIN conversations v ON v.enterprise_id = given.enterprise_id AND v.id = given.conversation_id
     ORDER BY given.id
     ON CONFLICT (id) DO UPDATE SET seen_at = greatest(room_peers.seen_at, excluded.seen_at),
       is_in_call = excluded.is_in_call, state = excluded.state`,
    [now, JSON.stringify(values)],
  );
}

/** Somebody left on purpose. */
export async function deletePeer(
  db: Queryable,
  { id, enterpriseId }: Pick<PeerRef, "id" | "enterpriseId">,
): Promise<void> {
  await rowsOf(db, "DELETE FROM room_peers WHERE enterprise_id = ? AND id = ?", [enterpriseId, id]);
}

/** A person takes part with one page: their other pages leave the call. Out: the ids of these. */
export async function endOtherPeers(
  db: Queryable,
  { id, enterpriseId, conversationId }: PeerRef,
  participant: string,
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    `UPDATE room_peers SET is_in_call = false
     WHERE enterprise_id = ? AND conversation_id = ? AND participant = ? AND id <> ? AND is_in_call
     RETURNING id`,
    [enterpriseId, conversationId, participant, id],
  );
  return rows.map((row) => row.id);
}

/** Who is connected to these rooms. */
export async function listPeers(
  db: Queryable,
  conversationIds: readonly number[],
  context: Liveness,
): Promise<(RoomPeer & { conversationId: number })[]> {
  const rows = await rowsOf<{
    id: string;
    conversation_id: number;
    role: PeerRole;
    name: string;
    participant: string;
    is_in_call: boolean;
    state: Partial<PeerState>;
  }>(
    db,
    `SELECT id, conversation_id, role, name, participant, is_in_call, state FROM room_peers
     WHERE conversation_id = ANY(?::bigint[]) AND seen_at > ? ORDER BY id`,
    [[...conversationIds], aliveSince(context)],
  );
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    name: row.name,
    participant: row.participant,
    isInCall: row.is_in_call,
    state: { ...initialPeerState, ...row.state },
    conversationId: row.conversation_id,
  }));
}

/** Removes the rows of connections that ended long ago, whose process may be dead. */
export async function deleteOldPeers(db: Queryable, context: Liveness): Promise<void> {
  await rowsOf(db, "DELETE FROM room_peers WHERE seen_at <= ?", [aliveSince(context)]);
}
