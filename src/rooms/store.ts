import type { SubjectRef, EndCause, RoomRef, LatestSession } from "../contracts/rooms.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { SessionTotals } from "./model.ts";
import type { Guest } from "../http/route.ts";
import { maySupervise } from "./live/supervisors.ts";

export type OpenSession = Readonly<{
  id: string;
  startedAt: Date;
  metAt: Date | null;
  establishedAt: Date | null;
  emptySince: Date | null;
}>;

export type SessionTimeColumn = "met_at" | "established_at" | "empty_since";

/** A user with an account who holds a room token. */
export type TokenHolder = Readonly<Guest & { userId: number }>;

/** Locks the room's running session. Undefined if there is none. */
export async function lockOpenSession(
  trx: Trx,
  { enterpriseId, conversationId }: RoomRef,
): Promise<OpenSession | undefined> {
  const [row] = await rowsOf<{
    id: string;
    started_at: Date;
    met_at: Date | null;
    established_at: Date | null;
    empty_since: Date | null;
  }>(
    trx,
    `SELECT id, started_at, met_at, established_at, empty_since FROM sessions
     WHERE enterprise_id = ? AND conversation_id = ? AND ended_at IS NULL FOR UPDATE`,
    [enterpriseId, conversationId],
  );
  return (
    row && {
      id: row.id,
      startedAt: row.started_at,
      metAt: row.met_at,
      establishedAt: row.established_at,
      emptySince: row.empty_since,
    }
  );
}

/** Starts a session. A unique index allows one running session per room. */
export async function insertSession(
  trx: Trx,
  { enterpriseId, conversationId }: RoomRef,
  { id, startedAt }: Readonly<{ id: string; startedAt: Date }>,
): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO sessions (id, enterprise_id, conversation_id, started_at) VALUES (?, ?, ?, ?)`,
    [id, enterpriseId, conversationId, startedAt],
  );
}

/** Sets or clears a timestamp of the session. */
export async function markSession(
  trx: Trx,
  sessionId: string,
  column: SessionTimeColumn,
  at: Date | null,
): Promise<void> {
  await rowsOf(trx, "UPDATE sessions SET ?? = ? WHERE id = ?", [column, at, sessionId]);
}

/** Ends a running session. A session never reopens. */
export async function closeSession(
  trx: Trx,
  sessionId: string,
  end: SessionTotals & Readonly<{ cause: EndCause; at: Date }>,
): Promise<void> {
  const rows = await rowsOf(
    trx,
    `UPDATE sessions SET ended_at = ?, end_reason = ?, finished_at = ?, billing_seconds = ?,
       both_seconds = ?, participant_count = ?, empty_since = ?
     WHERE id = ? AND ended_at IS NULL RETURNING id`,
    [
      end.at,
      end.cause,
      end.finishedAt,
      end.billingSeconds,
      end.bothSeconds,
      end.participantCount,
      end.finishedAt,
      sessionId,
    ],
  );
  if (rows.length !== 1) {
    throw new Error(`Session ${sessionId} was closed under its lock`);
  }
}

/** External names of a conversation. */
export async function findConversationNames(
  trx: Trx,
  { enterpriseId, conversationId }: RoomRef,
): Promise<{ uid: string; roomName: string }> {
  const [row] = await rowsOf<{ uid: string; room_name: string }>(
    trx,
    "SELECT uid, room_name FROM conversations WHERE enterprise_id = ? AND id = ?",
    [enterpriseId, conversationId],
  );
  if (row === undefined) {
    throw new Error(`Conversation ${conversationId} is gone`);
  }
  return { uid: row.uid, roomName: row.room_name };
}

/** The running session of a room, else the newest ended one. */
export async function findLatestSession(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
): Promise<LatestSession | undefined> {
  const [row] = await rowsOf<{
    id: string;
    started_at: Date;
    ended_at: Date | null;
    finished_at: Date | null;
  }>(
    db,
    `SELECT id, started_at, ended_at, finished_at FROM sessions
     WHERE enterprise_id = ? AND conversation_id = ?
     ORDER BY ended_at IS NULL DESC, started_at DESC, id LIMIT 1`,
    [enterpriseId, conversationId],
  );
  return (
    row && {
      id: row.id,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      finishedAt: row.finished_at,
    }
  );
}

/** The ticket or conference of a conversation. */
export async function findSubject(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
): Promise<SubjectRef | undefined> {
  const [row] = await rowsOf<{ kind: SubjectRef["kind"]; id: number }>(
    db,
    `SELECT 'ticket' AS kind, id FROM tickets WHERE enterprise_id = ? AND conversation_id = ?
     UNION ALL
     SELECT 'conference', id FROM conferences WHERE enterprise_id = ? AND conversation_id = ?`,
    [enterpriseId, conversationId, enterpriseId, conversationId],
  );
  return row && { kind: row.kind, enterpriseId, id: row.id };
}

const leadsSql = `EXISTS (SELECT FROM tickets t
    WHERE t.enterprise_id = u.enterprise_id AND t.id = ? AND t.agent_id = u.id)
  OR EXISTS (SELECT FROM conferences c
    WHERE c.enterprise_id = u.enterprise_id AND c.id = ? AND u.id IN (c.organizer_id, c.moderator_id))`;

const isPresentSql = `EXISTS (SELECT FROM participations p
    JOIN sessions s ON s.enterprise_id = p.enterprise_id AND s.id = p.session_id
    WHERE s.enterprise_id = u.enterprise_id AND s.conversation_id = ? AND p.user_id = u.id
      AND p.participant = ? AND p.left_at IS NULL)`;

/**
 * Whether a room token still holds: its account may use it, and its holder was not removed. That of
 * an expert holds as long as the session runs for which it was issued.
 */
export async function isRoomTokenValid(db: Queryable, guest: Guest): Promise<boolean> {
  const { userId, role } = guest;
  if (role === "supervisor") {
    return maySupervise(db, guest);
  }
  if (userId !== null && !(await isTokenHolderValid(db, { ...guest, userId }))) {
    return false;
  }
  if (role === "expert") {
    const latest = await findLatestSession(db, guest);
    if (latest?.id !== guest.visit || latest.endedAt !== null) {
      return false;
    }
  }
  return (role !== "participant" && role !== "expert") || !(await isDenied(db, guest));
}

async function isDenied(
  db: Queryable,
  { enterpriseId, conversationId, participant }: Guest,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM admissions WHERE enterprise_id = ? AND conversation_id = ? AND participant = ?
       AND state = 'denied'`,
    [enterpriseId, conversationId, participant],
  );
  return rows.length > 0;
}

/**
 * Whether a room token still matches its holder. The account must be active. An agent, organizer or
 * moderator must still have that role, or still be present in the room as that participant.
 */
export async function isTokenHolderValid(db: Queryable, holder: TokenHolder): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT FROM users u WHERE u.enterprise_id = ? AND u.id = ? AND u.is_active
       AND (? OR ${leadsSql} OR ${isPresentSql})`,
    [
      holder.enterpriseId,
      holder.userId,
      holder.role === "participant" || holder.role === "expert",
      holder.ticketId,
      holder.conferenceId,
      holder.conversationId,
      holder.participant,
    ],
  );
  return rows.length === 1;
}
