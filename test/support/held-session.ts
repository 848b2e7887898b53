/** Inserts sessions with their participants, and ends them later. */
import { randomUUID } from "node:crypto";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";

type Place = { id: number; of: "tickets" | "conferences" };
export type Comer = { role: string; name: string };

/** Starts a session this many minutes ago, with all participants. Returns its id. */
export async function beginSession(
  db: Db,
  { id, of }: Place,
  { people, minutesAgo }: { people: readonly Comer[]; minutesAgo: number },
): Promise<string> {
  const sessionId = randomUUID();
  await rowsOf(
    db,
    `INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, met_at, established_at)
     SELECT ?, enterprise_id, conversation_id, at, at, at
     FROM ${of}, LATERAL (SELECT now() - make_interval(mins => ?) AS at) begun WHERE id = ?`,
    [sessionId, minutesAgo, id],
  );
  for (const { role, name } of people) {
    // The last heartbeat is in the future, so that no sweep ends the participation.
    await rowsOf(
      db,
      `INSERT INTO participations (enterprise_id, session_id, participant, role, name, joined_at,
         last_seen_at)
       SELECT enterprise_id, id, ?, ?, ?, started_at, now() + interval '10 minutes'
       FROM sessions WHERE id = ?`,
      [randomUUID(), role, name, sessionId],
    );
  }
  return sessionId;
}

/** Ends the session: all participants have left, and staff ended it. */
export async function endSession(db: Db, sessionId: string): Promise<void> {
  await rowsOf(
    db,
    "UPDATE participations SET left_at = now(), last_seen_at = now() WHERE session_id = ? RETURNING 1",
    [sessionId],
  );
  await rowsOf(
    db,
    `UPDATE sessions SET ended_at = now(), finished_at = now(), end_reason = 'ended',
       billing_seconds = 60 * ceil(extract(epoch FROM now() - started_at) / 60), both_seconds =
       extract(epoch FROM now() - started_at)::integer, participant_count =
       (SELECT count(*) FROM participations WHERE session_id = sessions.id)
     WHERE id = ? RETURNING 1`,
    [sessionId],
  );
}
