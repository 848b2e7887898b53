import type { TaskLane } from "../contracts/jobs.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

/** Counted up to here: an exact number of millions would cost more than it tells. */
const mostCounted = 100_000;

/** Tasks of a lane that ended well since then. */
export async function countDone(db: Queryable, lane: TaskLane, since: Date): Promise<number> {
  const [row] = await rowsOf<{ done: number }>(
    db,
    `SELECT count(*) AS done FROM (
       SELECT 1 FROM tasks WHERE ended_at >= ? AND lane = ? AND state = 'done' LIMIT ?) AS counted`,
    [since, lane, mostCounted],
  );
  return row?.done ?? 0;
}
