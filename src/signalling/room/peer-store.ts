/** Peer leases: one row per page in a room, of any process, renewed by heartbeats. */
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
 * Resumes a peer after a lost connection. Undefined if its lease expired or it belongs to another
 * participant. `resumedAt` orders the resumptions of a peer by any process: microseconds of the
 * database's clock, read while its row is locked.
 */
export async function resumePeer(
  db: Queryable,
  { id, enterpriseId, conversationId, participant }: PeerRef & Readonly<{ participant: string }>,
  context: Liveness,
): Promise<(Pick<StoredPeer, "isInCall" | "state"> & { resumedAt: number }) | undefined> {
  const [row] = await rowsOf<{
    is_in_call: boolean;
    state: Partial<PeerState>;
    resumed_at: number;
  }>(
    db,
    `UPDATE room_peers SET seen_at = ? WHERE id = ? AND enterprise_id = ? AND conversation_id = ?
       AND participant = ? AND seen_at > ?
     RETURNING is_in_call, state,
       (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS resumed_at`,
    [context.now, id, enterpriseId, conversationId, participant, aliveSince(context)],
  );
  return (
    row && {
      isInCall: row.is_in_call,
      state: { ...initialPeerState, ...row.state },
      resumedAt: row.resumed_at,
    }
  );
}

/** Number of live connections of one participant in the room. */
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

/**
 * Heartbeat: upserts the leases with the state that the pages report. Only `takeCall` brings a page
 * into the call. Out: ids of pages that report to be in the call and are not, because the same person
 * joined on another page. A report that is older than the row says nothing about a later `takeCall`.
 */
export async function keepPeersAlive(
  db: Queryable,
  peers: readonly StoredPeer[],
  now: Date,
): Promise<string[]> {
  // Connections of one page, oldest first: one statement cannot upsert a row twice.
  const pages = [...new Map(peers.map((peer) => [peer.id, peer])).values()];
  const values = pages.map((peer) => ({
    id: peer.id,
    enterprise_id: peer.enterpriseId,
    conversation_id: peer.conversationId,
    participant: peer.participant,
    role: peer.role,
    name: peer.name,
    is_in_call: peer.isInCall,
    state: peer.state,
  }));
  // The join skips conversations that have been purged.
  const rows = await rowsOf<{ id: string; is_in_call: boolean }>(
    db,
    `INSERT INTO room_peers (id, enterprise_id, conversation_id, participant, role, name,
       is_in_call, state, seen_at)
     SELECT input.id, v.enterprise_id, v.id, participant, role, name, is_in_call, state, ?
     FROM json_to_recordset(?::json) AS input (id uuid, enterprise_id bigint,
       conversation_id bigint, participant text, role text, name text, is_in_call boolean,
       state jsonb)
     JOIN conversations v ON v.enterprise_id = input.enterprise_id AND v.id = input.conversation_id
     ORDER BY input.id
     ON CONFLICT (id) DO UPDATE SET seen_at = greatest(room_peers.seen_at, excluded.seen_at),
       is_in_call = room_peers.is_in_call
         AND (excluded.is_in_call OR room_peers.seen_at >= excluded.seen_at),
       state = CASE WHEN excluded.seen_at >= room_peers.seen_at
         THEN excluded.state ELSE room_peers.state END
     RETURNING id, is_in_call`,
    [now, JSON.stringify(values)],
  );
  const outside = new Set(rows.filter((row) => !row.is_in_call).map(({ id }) => id));
  return pages.filter(({ id, isInCall }) => isInCall && outside.has(id)).map(({ id }) => id);
}

/** Deletes the row at once: the client disconnected explicitly. */
export async function deletePeer(
  db: Queryable,
  { id, enterpriseId }: Pick<PeerRef, "id" | "enterpriseId">,
): Promise<void> {
  await rowsOf(db, "DELETE FROM room_peers WHERE enterprise_id = ? AND id = ?", [enterpriseId, id]);
}

/** Deletes the rows of removed people: what their pages do not confirm any more counts for nobody. */
export async function deletePeersOf(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
  participants: readonly string[],
): Promise<void> {
  await rowsOf(
    db,
    `DELETE FROM room_peers
     WHERE enterprise_id = ? AND conversation_id = ? AND participant = ANY(?)`,
    [enterpriseId, conversationId, [...participants]],
  );
}

/**
 * Brings a page into the call, and the other pages of the same person out of it, in one statement that
 * locks all of their rows: only one can be in the call. Out: ids of the pages that had to leave.
 */
export async function takeCall(
  db: Queryable,
  { id, enterpriseId, conversationId }: PeerRef,
  { participant, now }: Readonly<{ participant: string; now: Date }>,
): Promise<string[]> {
  const rows = await rowsOf<{ id: string; was_in_call: boolean }>(
    db,
    `WITH mine AS (
       SELECT id, is_in_call FROM room_peers
       WHERE enterprise_id = ? AND conversation_id = ? AND participant = ?
       ORDER BY id FOR UPDATE
     )
     UPDATE room_peers SET is_in_call = (room_peers.id = ?),
       seen_at = CASE WHEN room_peers.id = ? THEN greatest(seen_at, ?) ELSE seen_at END
     FROM mine WHERE room_peers.id = mine.id
     RETURNING room_peers.id, mine.is_in_call AS was_in_call`,
    [enterpriseId, conversationId, participant, id, id, now],
  );
  return rows.filter((row) => row.was_in_call && row.id !== id).map((row) => row.id);
}

/** Live peers of these rooms. */
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

/** Deletes expired leases, including those of crashed processes. */
export async function deleteOldPeers(db: Queryable, context: Liveness): Promise<void> {
  await rowsOf(db, "DELETE FROM room_peers WHERE seen_at <= ?", [aliveSince(context)]);
}
