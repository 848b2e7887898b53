/** Running sessions, with the people who are in the call now. */
import { roomReachSql } from "../../access/reach.ts";
import type { Scope } from "../../contracts/permissions.ts";
import type { CallQuality } from "../../contracts/room-messages.ts";
import type {
  ParticipantRole,
  RoomBackend,
  StoredRoute,
  SubjectRef,
} from "../../contracts/rooms.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { countWhere, type SqlCondition } from "../../platform/db/where.ts";
import { goneAfterMs } from "../model.ts";

/** A running session with its ticket or conference. */
export type LiveRoom = Readonly<{
  sessionId: string;
  kind: SubjectRef["kind"];
  subjectId: number;
  /** Of a ticket the customer's name; "" if it has none. */
  name: string;
  /** "" for conferences. */
  reference: string;
  service: Readonly<{ id: number; key: string; name: string }>;
  startedAt: Date;
  route: StoredRoute;
  backend: RoomBackend;
}>;

/** A running session for a supervisor. */
export type WatchedRoom = Pick<LiveRoom, "kind" | "subjectId" | "route" | "backend"> &
  Readonly<{ conversationId: number; isInReach: boolean }>;

export type LivePerson = Readonly<{
  name: string;
  role: ParticipantRole;
  userId: number | null;
  joinedAt: Date;
  /** As the person's page reports it; null while that page has lost its connection. */
  quality: CallQuality | null;
  isRecording: boolean;
}>;

const source = `sessions s
  LEFT JOIN conferences c ON c.conversation_id = s.conversation_id
  LEFT JOIN tickets t ON t.conversation_id = s.conversation_id AND t.deleted_at IS NULL
  JOIN services v ON v.id = coalesce(c.service_id, t.service_id)`;

const subjectColumns = `CASE WHEN c.id IS NULL THEN 'ticket' ELSE 'conference' END AS kind,
  coalesce(c.id, t.id) AS subject_id, s.media_route, v.room_backend`;

function matching(scope: Scope): SqlCondition {
  const reach = roomReachSql(scope);
  return {
    sql: `s.enterprise_id = ? AND s.ended_at IS NULL AND ${reach.sql}`,
    bindings: [scope.enterpriseId, ...reach.bindings],
  };
}

/** One page of the running sessions that the scope reaches, by start time, and their number. */
export async function listLiveRooms(
  db: Queryable,
  scope: Scope,
  page: Readonly<{ order: "asc" | "desc"; limit: number; offset: number }>,
): Promise<{ total: number; rooms: LiveRoom[] }> {
  const condition = matching(scope);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<{
    id: string;
    kind: SubjectRef["kind"];
    subject_id: number;
    name: string | null;
    reference: string;
    service_id: number;
    service_key: string;
    service_name: string;
    started_at: Date;
    media_route: StoredRoute;
    room_backend: RoomBackend;
  }>(
    db,
    `SELECT s.id, ${subjectColumns}, coalesce(t.reference, '') AS reference,
       coalesce(c.name, nullif(trim(concat_ws(' ', t.requestor_firstname, t.requestor_lastname)), ''),
         t.name) AS name,
       v.id AS service_id, v.service_key, v.name AS service_name, s.started_at
     FROM ${source} WHERE ${condition.sql}
     ORDER BY s.started_at ${direction}, s.id ${direction} LIMIT ? OFFSET ?`,
    [...condition.bindings, page.limit, page.offset],
  );
  const rooms = rows.map((row) => ({
    sessionId: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    name: row.name ?? "",
    reference: row.reference,
    service: { id: row.service_id, key: row.service_key, name: row.service_name },
    startedAt: row.started_at,
    route: row.media_route,
    backend: row.room_backend,
  }));
  return { total: await countWhere(db, source, condition), rooms };
}

/** A running session of the enterprise, and whether the scope reaches it. */
export async function findWatchedRoom(
  db: Queryable,
  scope: Scope,
  sessionId: string,
): Promise<WatchedRoom | undefined> {
  const reach = roomReachSql(scope);
  const [row] = await rowsOf<{
    kind: SubjectRef["kind"];
    subject_id: number;
    media_route: StoredRoute;
    room_backend: RoomBackend;
    conversation_id: number;
    is_in_reach: boolean;
  }>(
    db,
    `SELECT ${subjectColumns}, s.conversation_id, ${reach.sql} AS is_in_reach FROM ${source}
     WHERE s.enterprise_id = ? AND s.id = ? AND s.ended_at IS NULL`,
    [...reach.bindings, scope.enterpriseId, sessionId],
  );
  return (
    row && {
      kind: row.kind,
      subjectId: row.subject_id,
      route: row.media_route,
      backend: row.room_backend,
      conversationId: row.conversation_id,
      isInReach: row.is_in_reach,
    }
  );
}

/** The people who are in the call, by session and by time of joining. */
export async function listLivePeople(
  db: Queryable,
  enterpriseId: number,
  { sessionIds, now }: Readonly<{ sessionIds: readonly string[]; now: Date }>,
): Promise<ReadonlyMap<string, readonly LivePerson[]>> {
  const aliveSince = new Date(now.getTime() - goneAfterMs);
  const rows = await rowsOf<{
    session_id: string;
    name: string;
    role: ParticipantRole;
    user_id: number | null;
    joined_at: Date;
    quality: CallQuality | null;
    is_recording: boolean | null;
  }>(
    db,
    `SELECT p.session_id, p.name, p.role, p.user_id, p.joined_at,
       peer.state->>'quality' AS quality, (peer.state->>'isRecording')::boolean AS is_recording
     FROM participations p
     JOIN sessions s ON s.enterprise_id = p.enterprise_id AND s.id = p.session_id
     LEFT JOIN LATERAL (
       SELECT peer.state FROM room_peers peer
       WHERE peer.conversation_id = s.conversation_id AND peer.enterprise_id = s.enterprise_id
         AND peer.participant = p.participant AND peer.is_in_call AND peer.seen_at > ?
       ORDER BY peer.seen_at DESC LIMIT 1) peer ON TRUE
     WHERE p.enterprise_id = ? AND p.session_id = ANY(?::uuid[])
       AND p.left_at IS NULL AND p.last_seen_at > ?
     ORDER BY p.joined_at, p.id`,
    [aliveSince, enterpriseId, [...sessionIds], aliveSince],
  );
  const people = new Map<string, LivePerson[]>();
  for (const row of rows) {
    const present = people.get(row.session_id) ?? [];
    present.push({
      name: row.name,
      role: row.role,
      userId: row.user_id,
      joinedAt: row.joined_at,
      quality: row.quality,
      isRecording: row.is_recording ?? false,
    });
    people.set(row.session_id, present);
  }
  return people;
}
