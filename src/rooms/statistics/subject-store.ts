/** Sessions of one ticket or conference, running or ended. */
import type { SubjectRef, EndCause, ParticipantRole } from "../../contracts/rooms.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { type QualityColumns, type QualityTimes, toQualityTimes } from "./schema.ts";
import type { SessionPage } from "./store.ts";

/** Totals are null while the session is running. */
export type SubjectSession = Readonly<{
  id: string;
  startedAt: Date;
  finishedAt: Date | null;
  endReason: EndCause | null;
  billingSeconds: number | null;
  /** Null for conferences, which do not have two sides. */
  bothSeconds: number | null;
  participantCount: number;
}>;

export type SessionSubject = Readonly<{
  enterpriseId: number;
  kind: SubjectRef["kind"];
  id: number;
}>;

/** A participant of a session; several participations are merged. */
export type SessionParticipant = Readonly<{
  name: string;
  role: ParticipantRole;
  userId: number | null;
  joinedAt: Date;
  /** Null while present. */
  leftAt: Date | null;
  quality: QualityTimes;
}>;

type SubjectSessionRow = {
  id: string;
  started_at: Date;
  finished_at: Date | null;
  end_reason: EndCause | null;
  billing_seconds: number | null;
  both_seconds: number | null;
  participants: number;
};

/** One page of sessions by start time, and the total count. */
export async function listSubjectSessions(
  db: Queryable,
  { enterpriseId, kind, id }: SessionSubject,
  page: Pick<SessionPage, "order" | "limit" | "offset">,
): Promise<{ total: number; sessions: SubjectSession[] }> {
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const source = sourceOf(kind);
  const rows = await rowsOf<SubjectSessionRow>(
    db,
    `SELECT s.id, s.started_at, s.finished_at, s.end_reason, s.billing_seconds, s.both_seconds,
       coalesce(s.participant_count, (SELECT count(DISTINCT p.participant) FROM participations p
         WHERE p.session_id = s.id)) AS participants
     FROM ${source} ORDER BY s.started_at ${direction}, s.id ${direction} LIMIT ? OFFSET ?`,
    [enterpriseId, id, page.limit, page.offset],
  );
  const [counted] = await rowsOf<{ count: number }>(db, `SELECT count(*) AS count FROM ${source}`, [
    enterpriseId,
    id,
  ]);
  const sessions = rows.map((row) => ({
    id: row.id,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    endReason: row.end_reason,
    billingSeconds: row.billing_seconds,
    bothSeconds: row.both_seconds,
    participantCount: row.participants,
  }));
  return { total: counted?.count ?? 0, sessions };
}

const tables = { ticket: "tickets", conference: "conferences" } as const;

function sourceOf(kind: SubjectRef["kind"]): string {
  return `sessions s JOIN ${tables[kind]} o ON o.conversation_id = s.conversation_id
    WHERE s.enterprise_id = ? AND o.enterprise_id = s.enterprise_id AND o.id = ?`;
}

/** Participants of each session, by first join. */
export async function listSessionParticipants(
  db: Queryable,
  enterpriseId: number,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SessionParticipant[]>> {
  const rows = await rowsOf<
    {
      session_id: string;
      role: ParticipantRole;
      user_id: number | null;
      name: string;
      joined_at: Date;
      left_at: Date | null;
    } & QualityColumns
  >(
    db,
    `SELECT session_id, (array_agg(role ORDER BY id))[1] AS role, max(user_id) AS user_id,
       (array_agg(name ORDER BY id DESC))[1] AS name, min(joined_at) AS joined_at,
       CASE WHEN bool_or(left_at IS NULL) THEN NULL ELSE max(left_at) END AS left_at,
       sum(good_ms)::integer AS good_ms, sum(fair_ms)::integer AS fair_ms,
       sum(poor_ms)::integer AS poor_ms
     FROM participations WHERE enterprise_id = ? AND session_id = ANY(?::uuid[])
     GROUP BY session_id, participant ORDER BY min(joined_at), min(id)`,
    [enterpriseId, [...sessionIds]],
  );
  const people = new Map<string, SessionParticipant[]>();
  for (const row of rows) {
    const known = people.get(row.session_id) ?? [];
    const { name, role, user_id: userId, joined_at: joinedAt, left_at: leftAt } = row;
    known.push({ name, role, userId, joinedAt, leftAt, quality: toQualityTimes(row) });
    people.set(row.session_id, known);
  }
  return people;
}
