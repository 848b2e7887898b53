/** Participations: one row per participant and time in a session. */
import type { Heartbeat, SubjectRef, ParticipantRole, RoomRef } from "../contracts/rooms.ts";
import { callQualities, type CallQuality } from "../contracts/room-messages.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { goneAfterMs, type PresentParticipation, type EndedParticipation } from "./model.ts";

export type Participation = PresentParticipation & Readonly<{ userId: number | null }>;

export type NewParticipation = Readonly<{
  enterpriseId: number;
  sessionId: string;
  participant: string;
  role: ParticipantRole;
  userId: number | null;
  name: string;
  userAgent: string | null;
  at: Date;
}>;

export type SilentRoom = RoomRef & Readonly<{ sessionId: string; ref: SubjectRef }>;

/**
 * Locks the open participations. Heartbeats take only these row locks and wait for the transaction.
 * Both lock in id order, to avoid deadlocks.
 */
export async function lockPresentParticipations(
  trx: Trx,
  enterpriseId: number,
  sessionId: string,
): Promise<Participation[]> {
  const rows = await rowsOf<{
    id: number;
    participant: string;
    role: ParticipantRole;
    user_id: number | null;
    joined_at: Date;
    last_seen_at: Date;
  }>(
    trx,
    `SELECT id, participant, role, user_id, joined_at, last_seen_at FROM participations
     WHERE enterprise_id = ? AND session_id = ? AND left_at IS NULL
     ORDER BY id FOR UPDATE`,
    [enterpriseId, sessionId],
  );
  return rows.map((row) => ({
    id: row.id,
    participant: row.participant,
    role: row.role,
    userId: row.user_id,
    joinedAt: row.joined_at,
    lastSeenAt: row.last_seen_at,
  }));
}

/** Inserts an open participation. Out: its id. */
export async function insertParticipation(
  trx: Trx,
  participation: NewParticipation,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO participations (enterprise_id, session_id, participant, role, user_id, name,
       user_agent, joined_at, last_seen_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [
      participation.enterpriseId,
      participation.sessionId,
      participation.participant,
      participation.role,
      participation.userId,
      participation.name,
      participation.userAgent,
      participation.at,
      participation.at,
    ],
  );
  if (row === undefined) {
    throw new Error("The participation was not inserted");
  }
  return row.id;
}

/** A rejoin counts as a heartbeat. */
export async function touchParticipation(
  trx: Trx,
  participationId: number,
  at: Date,
): Promise<void> {
  await rowsOf(
    trx,
    "UPDATE participations SET last_seen_at = greatest(last_seen_at, ?) WHERE id = ?",
    [at, participationId],
  );
}

/** Ends open participations in one statement. */
export async function endParticipations(
  trx: Trx,
  leaves: readonly Readonly<{ participation: Participation; at: Date }>[],
): Promise<void> {
  const values = leaves.map(({ participation, at }) => ({
    id: participation.id,
    at,
  }));
  await rowsOf(
    trx,
    `UPDATE participations SET left_at = input.at
     FROM json_to_recordset(?::json) AS input (id bigint, at timestamptz)
     WHERE participations.id = input.id AND participations.left_at IS NULL`,
    [JSON.stringify(values)],
  );
}

/** All participations of a session that have ended. */
export async function listEndedParticipations(
  trx: Trx,
  sessionId: string,
): Promise<EndedParticipation[]> {
  const rows = await rowsOf<{
    participant: string;
    role: ParticipantRole;
    joined_at: Date;
    left_at: Date;
  }>(
    trx,
    `SELECT participant, role, joined_at, left_at FROM participations
     WHERE session_id = ? AND left_at IS NOT NULL ORDER BY id`,
    [sessionId],
  );
  return rows.map((row) => ({
    participant: row.participant,
    role: row.role,
    joinedAt: row.joined_at,
    leftAt: row.left_at,
  }));
}

export async function wasInSession(
  trx: Trx,
  sessionId: string,
  participant: string,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    "SELECT 1 FROM participations WHERE session_id = ? AND participant = ? LIMIT 1",
    [sessionId, participant],
  );
  return rows.length > 0;
}

/**
 * Records heartbeats in one statement, and adds the time since the last one to the reported quality.
 * Out: participations that are still open. Locks rows in id order, to avoid deadlocks.
 */
export async function recordHeartbeats(
  db: Queryable,
  heartbeats: readonly Heartbeat[],
  now: Date,
): Promise<Omit<Heartbeat, "enterpriseId">[]> {
  const values = heartbeats.map(({ enterpriseId, sessionId, participant, quality }) => ({
    enterprise_id: enterpriseId,
    session_id: sessionId,
    participant,
    quality,
  }));
  const rows = await rowsOf<{ session_id: string; participant: string }>(
    db,
    `WITH alive AS (
       SELECT p.id, input.quality,
         greatest(0, extract(epoch FROM ?::timestamptz - p.last_seen_at) * 1000)::integer AS ms
       FROM participations p
       JOIN (SELECT enterprise_id, session_id, participant, max(quality) AS quality
         FROM json_to_recordset(?::json) AS heartbeats
           (enterprise_id bigint, session_id uuid, participant text, quality text)
         GROUP BY enterprise_id, session_id, participant) AS input
         ON input.session_id = p.session_id AND input.participant = p.participant
           AND input.enterprise_id = p.enterprise_id
       WHERE p.left_at IS NULL AND p.last_seen_at > ?
       ORDER BY p.id FOR UPDATE OF p
     )
     UPDATE participations SET last_seen_at = greatest(last_seen_at, ?),
       ${callQualities.map(addTimeSql).join(", ")}
     FROM alive WHERE participations.id = alive.id
     RETURNING participations.session_id, participations.participant`,
    [now, JSON.stringify(values), new Date(now.getTime() - goneAfterMs), now],
  );
  return rows.map((row) => ({ sessionId: row.session_id, participant: row.participant }));
}

/** Adds the time since the last heartbeat to the column of the quality, if it is the reported one. */
function addTimeSql(quality: CallQuality): string {
  const column = `${quality}_ms`;
  return `${column} = CASE WHEN alive.quality = '${quality}'
    THEN coalesce(participations.${column}, 0) + alive.ms ELSE participations.${column} END`;
}

/** Rooms with an expired participation, longest silent first. */
export async function listSilentRooms(
  db: Queryable,
  now: Date,
  page: Readonly<{ except: readonly string[]; limit: number }>,
): Promise<SilentRoom[]> {
  const rows = await rowsOf<{
    session_id: string;
    enterprise_id: number;
    conversation_id: number;
    kind: SubjectRef["kind"];
    subject_id: number;
  }>(
    db,
    `SELECT s.id AS session_id, s.enterprise_id, s.conversation_id,
       CASE WHEN t.id IS NULL THEN 'conference' ELSE 'ticket' END AS kind,
       coalesce(t.id, c.id) AS subject_id
     FROM (
       SELECT session_id, min(last_seen_at) AS seen_at FROM participations
       WHERE left_at IS NULL AND last_seen_at <= ? AND session_id <> ALL(?::uuid[])
       GROUP BY session_id ORDER BY seen_at LIMIT ?
     ) AS silent
     JOIN sessions s ON s.id = silent.session_id
     LEFT JOIN tickets t ON t.conversation_id = s.conversation_id
     LEFT JOIN conferences c ON c.conversation_id = s.conversation_id
     ORDER BY silent.seen_at`,
    [new Date(now.getTime() - goneAfterMs), [...page.except], page.limit],
  );
  return rows.map((row) => ({
    sessionId: row.session_id,
    enterpriseId: row.enterprise_id,
    conversationId: row.conversation_id,
    ref: { kind: row.kind, enterpriseId: row.enterprise_id, id: row.subject_id },
  }));
}
