import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { eventually } from "./eventually.ts";

/** Waits until at least this many statements of the database wait for a lock. */
export function untilWaiting(db: Db, count = 1): Promise<unknown> {
  return eventually(async () => {
    const waiting = await rowsOf(
      db,
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length >= count;
  });
}
