/**
 * In: an outbox with a row that breaks every batch. Out: that row in `outbox_dead`, with the reason.
 * Guarantee: a fault that is not the row's own leaves it in the outbox.
 * On crash: the next relay starts again; rows that were fanned out are gone from the outbox.
 */
import { isDataFault } from "../../platform/db/errors.ts";
import { type Db, rowsOf } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { FanOutError } from "./fan-out.ts";

/** Fans out at most `limit` events, those after `afterEventRowId`. Returns how many. */
export type RunBatch = (limit: number, afterEventRowId?: number) => Promise<number>;

type OneByOneDeps = { db: Db; log: Logger; maxEvents: number };

/**
 * Fans out one row at a time to find the one that fails. It becomes a dead letter only after the
 * row behind it succeeded: if two consecutive rows fail, the fault is not the row's, and both stay.
 */
export async function runOneByOne(
  runBatch: RunBatch,
  { db, log, maxEvents }: OneByOneDeps,
): Promise<number> {
  let suspect: { eventRowId: number; reason: string } | undefined;
  for (let count = 0; count < maxEvents; count += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one at a time finds the one that fails
      if ((await runBatch(1, suspect?.eventRowId)) === 0) {
        return count; // a failing last row blocks nothing, so it stays
      }
      if (suspect !== undefined) {
        // oxlint-disable-next-line no-await-in-loop -- rare
        await deadLetter(db, suspect);
        log.error(
          { event_row_id: suspect.eventRowId, reason: suspect.reason },
          "relay.event_dead_lettered",
        );
        suspect = undefined;
      }
    } catch (thrown) {
      const error = toError(thrown);
      // Other faults (another schema version, a missing permission) would affect every row, so no
      // row becomes a dead letter for them.
      if (!(error instanceof FanOutError) || suspect !== undefined || !isDataFault(error.fault)) {
        throw error;
      }
      suspect = { eventRowId: error.firstEventRowId, reason: error.fault.message };
    }
  }
  return maxEvents;
}

/**
 * Moves an outbox row to `outbox_dead` with the reason, so that later rows continue. Once the cause
 * is fixed, `INSERT INTO outbox SELECT event_row_id, occurred_at, enterprise_id FROM outbox_dead` and
 * a `DELETE` put it back. Does nothing if another relay has fanned it out.
 */
async function deadLetter(
  db: Db,
  { eventRowId, reason }: { eventRowId: number; reason: string },
): Promise<void> {
  await rowsOf(
    db,
    `WITH failed AS (
       DELETE FROM outbox WHERE event_row_id = ? RETURNING event_row_id, occurred_at, enterprise_id
     )
     INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason)
     SELECT event_row_id, occurred_at, enterprise_id, ? FROM failed`,
    // The end of the text: the statement comes first, the database's message last.
    [eventRowId, reason.slice(-1_000)],
  );
}
