import { rowsOf, type Db } from "../../platform/db/pool.ts";

/**
 * Moves an outbox row to `outbox_dead` with the reason, so that the rows behind it go on. Once the
 * cause is mended, `INSERT INTO outbox SELECT event_id, occurred_at FROM outbox_dead` and a
 * `DELETE` put it back. Does nothing where another relay got it through meanwhile.
 */
export async function setAside(
  db: Db,
  { eventId, reason }: { eventId: number; reason: string },
): Promise<void> {
  await rowsOf(
    db,
    `WITH failed AS (
       DELETE FROM outbox WHERE event_id = ? RETURNING event_id, occurred_at
     )
     INSERT INTO outbox_dead (event_id, occurred_at, reason)
     SELECT event_id, occurred_at, ? FROM failed`,
    // The end of it: the database's word comes after the text of the statement.
    [eventId, reason.slice(-1_000)],
  );
}
