import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { RoomId } from "./store.ts";

const waitLimitMs = 30 * 60_000;

/** `expired`: they waited for too long, and nobody can let them in any more. */
export type AdmissionState = "none" | "waiting" | "admitted" | "denied" | "expired";

export type Waiting = Readonly<{ participant: string; name: string; askedAt: Date }>;

type Asker = Readonly<{ participant: string; visit: string; name: string }>;

/**
 * Notes that somebody asks to come in. Out: false where this use of the link asked already, or
 * where they were admitted. Who was refused, or waited for too long, may ask again by another.
 */
export async function askAdmission(
  trx: Trx,
  { enterpriseId, conversationId }: RoomId,
  { participant, visit, name }: Asker,
  at: Date,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `INSERT INTO admissions AS a
       (enterprise_id, conversation_id, participant, visit, name, asked_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (conversation_id, participant) DO UPDATE
       SET visit = excluded.visit, name = excluded.name, asked_at = excluded.asked_at,
         state = 'waiting', decided_at = NULL
       WHERE a.visit <> excluded.visit AND a.state <> 'admitted'
     RETURNING a.id`,
    [enterpriseId, conversationId, participant, visit, name, at],
  );
  return rows.length > 0;
}

export async function findAdmission(
  db: Queryable,
  { enterpriseId, conversationId }: RoomId,
  participant: string,
  now: Date,
): Promise<AdmissionState> {
  const [row] = await rowsOf<{ state: AdmissionState }>(
    db,
    `SELECT CASE WHEN state = 'waiting' AND asked_at <= ? THEN 'expired' ELSE state END AS state
     FROM admissions WHERE enterprise_id = ? AND conversation_id = ? AND participant = ?`,
    [new Date(now.getTime() - waitLimitMs), enterpriseId, conversationId, participant],
  );
  return row?.state ?? "none";
}

/** Who waits, the longest waiting first. */
export async function listWaiting(
  db: Queryable,
  { enterpriseId, conversationId }: RoomId,
  now: Date,
): Promise<Waiting[]> {
  const rows = await rowsOf<{ participant: string; name: string; asked_at: Date }>(
    db,
    `SELECT participant, name, asked_at FROM admissions
     WHERE enterprise_id = ? AND conversation_id = ? AND state = 'waiting' AND asked_at > ?
     ORDER BY asked_at, id LIMIT 1000`,
    [enterpriseId, conversationId, new Date(now.getTime() - waitLimitMs)],
  );
  return rows.map((row) => ({
    participant: row.participant,
    name: row.name,
    askedAt: row.asked_at,
  }));
}

type Decision = Readonly<{
  /** Undefined: everybody who waits. */
  participants: readonly string[] | undefined;
  to: "admitted" | "denied";
  at: Date;
}>;

/**
 * Decides, in one statement: of two who decide at once, the first wins. Only who waits is admitted;
 * who was admitted may still be refused. Out: whom it concerned.
 */
export async function decideAdmissions(
  db: Queryable,
  { enterpriseId, conversationId }: RoomId,
  { participants, to, at }: Decision,
): Promise<string[]> {
  const rows = await rowsOf<{ participant: string }>(
    db,
    `UPDATE admissions SET state = ?, decided_at = ?
     WHERE enterprise_id = ? AND conversation_id = ?
       AND (?::text[] IS NULL OR participant = ANY(?::text[]))
       AND ((state = 'waiting' AND asked_at > ?) OR (state = 'admitted' AND ? = 'denied'))
     RETURNING participant`,
    [
      to,
      at,
      enterpriseId,
      conversationId,
      ...[0, 1].map(() => (participants === undefined ? null : [...participants])),
      new Date(at.getTime() - waitLimitMs),
      to,
    ],
  );
  return rows.map((row) => row.participant);
}

/** Deletes a batch of what is older than any room token. Out: how many. */
export async function deleteOldAdmissions(db: Queryable, before: Date): Promise<number> {
  const rows = await rowsOf(
    db,
    `DELETE FROM admissions WHERE id IN (
       SELECT id FROM admissions WHERE asked_at < ? ORDER BY asked_at LIMIT 1000)
     RETURNING id`,
    [before],
  );
  return rows.length;
}
