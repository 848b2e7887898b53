import { rowsOf, type Queryable } from "../../platform/db/pool.ts";

/** States of a delivery that has not ended: its event and its attempts stay, however old. */
export const liveStatesSql = "('pending', 'queued', 'sending', 'retry', 'paused')";

/** The horizon, or the time of the oldest event that is still needed where that is earlier. */
export async function oldestNeeded(db: Queryable, horizon: Date): Promise<Date> {
  const [row] = await rowsOf<{ oldest: Date | null }>(
    db,
    `SELECT least(
       (SELECT min(occurred_at) FROM outbox),
       (SELECT min(occurred_at) FROM outbox_dead),
       (SELECT min(event_at) FROM deliveries WHERE state IN ${liveStatesSql})) AS oldest`,
  );
  const oldest = row?.oldest ?? horizon;
  return oldest < horizon ? oldest : horizon;
}
