import { rowsOf, type Db } from "../../platform/db/pool.ts";

/**
 * Moves the oldest outbox row to `outbox_dead` with the reason, so that the rows behind it go on.
 * Returns its event id. `INSERT INTO outbox SELECT event_id, occurred_at FROM outbox_dead` and a
 * `DELETE` put it back once the cause is mended.
 */
export const setAside = async (db: Db, reason: string): Promise<number | undefined> => {
  const [row] = await rowsOf<{ event_id: number }>(
    db,
    `WITH oldest AS (
       DELETE FROM outbox
       WHERE event_id = (SELECT event_id FROM outbox ORDER BY event_id LIMIT 1)
       RETURNING event_id, occurred_at
     )
     INSERT INTO outbox_dead (event_id, occurred_at, reason)
     SELECT event_id, occurred_at, ? FROM oldest RETURNING event_id`,
    [reason.slice(0, 1_000)],
  );
  return row?.event_id;
};
