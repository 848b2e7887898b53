import { rowsOf, type Queryable } from "../platform/db/pool.ts";

/**
 * Deletes what these inboxes have kept of one event, whatever the number of requests. An inbox
 * keeps few, so each is read whole. Answers how many it deleted.
 */
export async function deleteInboxEvent(
  db: Queryable,
  keys: readonly string[],
  messageId: string,
): Promise<number> {
  const rows = await rowsOf(
    db,
    `DELETE FROM inbox_requests r
     WHERE r.inbox_key = ANY(?::text[]) AND EXISTS (
       SELECT 1 FROM json_array_elements(r.headers) AS header
       WHERE lower(header ->> 0) = 'webhook-id' AND header ->> 1 = ?)
     RETURNING r.id`,
    [keys, messageId],
  );
  return rows.length;
}
