/**
 * In: the passing of time. Out: what is due, handed out within the windows.
 * Guarantee: a due delivery of an active subscription is handed out as soon as its window has room,
 * whoever forgot to do so before.
 * On crash: the next pass sees the same rows.
 */
import { inTransaction, rowsOf, type Db } from "../../platform/db/pool.ts";
import type { Dispatcher } from "../ledger/dispatch.ts";
import { handOut } from "../ledger/hand-out.ts";
import { lockHealth } from "../ledger/health.ts";

export type DueDeps = { db: Db; dispatcher: Pick<Dispatcher, "limits" | "dispatch"> };

/** Subscriptions locked at once: few, so that the relay and the workers hardly wait. */
const chunkSize = 50;

/**
 * Active subscriptions with something due. One index probe each, however large a backlog is: a
 * list of the oldest due rows would let one subscription's million hide all others.
 */
const listDue = async (db: Db, now: Date): Promise<number[]> => {
  const rows = await rowsOf<{ id: number }>(
    db,
    `SELECT s.id FROM subscriptions s
     JOIN subscription_health h ON h.subscription_id = s.id
     -- LATERAL with an order and a limit: EXISTS may be planned as a walk over all that is due.
     CROSS JOIN LATERAL (
       SELECT 1 FROM deliveries d
       WHERE d.subscription_id = s.id AND d.state IN ('pending', 'retry')
         AND d.waits_for IS NULL AND d.due_at <= ?
       ORDER BY d.due_at LIMIT 1) AS due
     WHERE s.is_active AND (h.throttled_until IS NULL OR h.throttled_until <= ?)
     ORDER BY s.id`,
    [now, now],
  );
  return rows.map((row) => row.id);
};

/** Hands out to these subscriptions whatever is due and fits. Returns how many went out. */
const handOutTo = async (
  { db, dispatcher }: DueDeps,
  subscriptionIds: readonly number[],
): Promise<number> => {
  const handedOut = await inTransaction(db, async (trx) => {
    await lockHealth(trx, subscriptionIds);
    return handOut(trx, subscriptionIds, dispatcher.limits());
  });
  await dispatcher.dispatch(handedOut);
  return handedOut.length;
};

/** One pass over everything that is due. Returns how many deliveries were handed out. */
export const handOutDue = async (deps: DueDeps): Promise<number> => {
  const { now } = deps.dispatcher.limits();
  const due = await listDue(deps.db, now);
  let count = 0;
  for (let start = 0; start < due.length; start += chunkSize) {
    // oxlint-disable-next-line no-await-in-loop -- one lock set after the other
    count += await handOutTo(deps, due.slice(start, start + chunkSize));
  }
  return count;
};
