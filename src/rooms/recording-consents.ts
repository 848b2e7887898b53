/** Recording consents of participants in a running session. */
import type { RoomRef } from "../contracts/rooms.ts";
import { recordedRoles } from "../contracts/signalling.ts";
import type { Guest } from "../http/route.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

/** Stores the participant's latest answer. False: the participant is not in the running session. */
export async function insertRecordingConsent(
  db: Queryable,
  { enterpriseId, conversationId, participant }: Guest,
  { isAccepted, at }: Readonly<{ isAccepted: boolean; at: Date }>,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `INSERT INTO recording_consents
       (session_id, participant, enterprise_id, is_accepted, answered_at)
     SELECT s.id, p.participant, s.enterprise_id, ?::boolean,
       greatest(?::timestamptz, p.joined_at)
     FROM sessions s JOIN participations p ON p.enterprise_id = s.enterprise_id AND p.session_id = s.id
     WHERE s.enterprise_id = ? AND s.conversation_id = ? AND s.ended_at IS NULL
       AND p.participant = ? AND p.left_at IS NULL
     ON CONFLICT (session_id, participant) DO UPDATE
       SET is_accepted = excluded.is_accepted, answered_at = excluded.answered_at
     RETURNING 1`,
    [isAccepted, at, enterpriseId, conversationId, participant],
  );
  return rows.length > 0;
}

/** Whether a ticket's customer accepted the recording of the running session. */
export async function hasCustomerAccepted(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM sessions s
     JOIN recording_consents c ON c.enterprise_id = s.enterprise_id AND c.session_id = s.id
     WHERE s.enterprise_id = ? AND s.conversation_id = ? AND s.ended_at IS NULL
       AND c.participant = 'requestor' AND c.is_accepted`,
    [enterpriseId, conversationId],
  );
  return rows.length > 0;
}

/**
 * Whether everybody in the running session has agreed to the recording since they joined it. Those
 * who may record are not asked.
 */
export async function haveAllAgreed(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM sessions s
     JOIN participations p ON p.enterprise_id = s.enterprise_id AND p.session_id = s.id
     WHERE s.enterprise_id = ? AND s.conversation_id = ? AND s.ended_at IS NULL
       AND p.left_at IS NULL AND p.role = ANY(?)
       AND NOT EXISTS (SELECT FROM recording_consents c
         WHERE c.enterprise_id = s.enterprise_id AND c.session_id = s.id
           AND c.participant = p.participant AND c.is_accepted AND c.answered_at >= p.joined_at)
     LIMIT 1`,
    [enterpriseId, conversationId, [...recordedRoles]],
  );
  return rows.length === 0;
}
