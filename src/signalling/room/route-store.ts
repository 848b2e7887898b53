/** Media routes of sessions, shared by all web processes. */
import type { RoomBackend, RoomRef, StoredRoute } from "../../contracts/rooms.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { aliveSince, type Liveness } from "../presence-store.ts";

export type SessionRef = Readonly<{ enterpriseId: number; sessionId: string }>;

export type SessionRoute = Readonly<{
  sessionId: string;
  route: StoredRoute;
  backend: RoomBackend;
  /** Current participants. */
  people: number;
}>;

const sessionSql = `SELECT s.id, s.media_route, coalesce(v.room_backend, 'auto') AS room_backend,
    (SELECT count(*) FROM participations p WHERE p.session_id = s.id AND p.left_at IS NULL) AS people
  FROM sessions s
  LEFT JOIN tickets t ON t.enterprise_id = s.enterprise_id AND t.conversation_id = s.conversation_id
  LEFT JOIN conferences c
    ON c.enterprise_id = s.enterprise_id AND c.conversation_id = s.conversation_id
  LEFT JOIN services v
    ON v.enterprise_id = s.enterprise_id AND v.id = coalesce(t.service_id, c.service_id)
  WHERE s.enterprise_id = ? AND s.ended_at IS NULL AND`;

type SessionRow = {
  id: string;
  media_route: StoredRoute;
  room_backend: RoomBackend;
  people: number;
};

export async function findSessionRoute(
  db: Queryable,
  { enterpriseId, sessionId }: SessionRef,
): Promise<SessionRoute | undefined> {
  const rows = await rowsOf<SessionRow>(db, `${sessionSql} s.id = ?`, [enterpriseId, sessionId]);
  return rows.map(toSessionRoute)[0];
}

/** The route of a room's running session. */
export async function findRoomRoute(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
): Promise<SessionRoute | undefined> {
  const sql = `${sessionSql} s.conversation_id = ?`;
  const rows = await rowsOf<SessionRow>(db, sql, [enterpriseId, conversationId]);
  return rows.map(toSessionRoute)[0];
}

function toSessionRoute(row: SessionRow): SessionRoute {
  return {
    sessionId: row.id,
    route: row.media_route,
    backend: row.room_backend,
    people: row.people,
  };
}

/** Compare-and-swap. False: another process won, or the session has ended. */
export async function changeSessionRoute(
  db: Queryable,
  { enterpriseId, sessionId }: SessionRef,
  { from, to }: Readonly<{ from: StoredRoute; to: StoredRoute }>,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `UPDATE sessions SET media_route = ?
     WHERE enterprise_id = ? AND id = ? AND media_route = ? AND ended_at IS NULL RETURNING 1`,
    [to, enterpriseId, sessionId, from],
  );
  return rows.length === 1;
}

/** By session id; ended sessions are absent. */
export async function listSessionRoutes(
  db: Queryable,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, StoredRoute>> {
  const rows = await rowsOf<{ id: string; media_route: StoredRoute }>(
    db,
    "SELECT id, media_route FROM sessions WHERE id = ANY(?::uuid[]) AND ended_at IS NULL",
    [[...sessionIds]],
  );
  return new Map(rows.map((row) => [row.id, row.media_route]));
}

export type SfuSession = Readonly<{
  sessionId: string;
  /** Ended, or permanently off LiveKit. */
  isOver: boolean;
  /** Pages in the call, and of supervisors who watch it. */
  peerIds: ReadonlySet<string>;
}>;

/** Known sessions among the ids, with the pages that may exchange media. */
export async function listSfuSessions(
  db: Queryable,
  sessionIds: readonly string[],
  context: Liveness,
): Promise<SfuSession[]> {
  const rows = await rowsOf<{ id: string; is_over: boolean; peer_ids: string[] }>(
    db,
    `SELECT s.id, (s.ended_at IS NOT NULL OR s.media_route = 'fallback') AS is_over,
       ARRAY(SELECT p.id::text FROM room_peers p WHERE p.enterprise_id = s.enterprise_id
         AND p.conversation_id = s.conversation_id AND (p.is_in_call OR p.role = 'supervisor')
         AND p.seen_at > ?) AS peer_ids
     FROM sessions s WHERE s.id = ANY(?::uuid[])`,
    [aliveSince(context), [...sessionIds]],
  );
  return rows.map((row) => ({
    sessionId: row.id,
    isOver: row.is_over,
    peerIds: new Set(row.peer_ids),
  }));
}
