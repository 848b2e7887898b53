/**
 * In: the passing of time. Out: what is due, handed out within the windows.
 * Guarantee: a due delivery of an active subscription is handed out as soon as its window has room,
 * whoever forgot to do so before; receivers that only fail are probed, a few at a time.
 * On crash: the next pass sees the same rows.
 */
import { inTransaction, namedRowsOf, type Db } from "../../platform/db/pool.ts";
import type { Dispatcher } from "../ledger/dispatch.ts";
import { firstTries, laterTries } from "../ledger/due-rows.ts";
import { handOut } from "../ledger/hand-out.ts";
import { lockHealth } from "../ledger/health.ts";

export type DueDeps = {
  db: Db;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  /** How many probes of open circuits, of all subscriptions together, may be under way. */
  maxProbes: number;
};

/** Subscriptions locked at once: few, so that the relay and the workers hardly wait. */
const chunkSize = 50;

/**
 * Something due of the subscription `s`. One probe of each index, however large a backlog is: a
 * list of the oldest due rows would let one subscription's million hide all others.
 */
const anyDueSql = `
  CROSS JOIN LATERAL (
    (SELECT 1 FROM deliveries d
     WHERE d.subscription_id = s.id AND ${firstTries} AND d.due_at <= :now
     ORDER BY d.due_at LIMIT 1)
    UNION ALL
    (SELECT 1 FROM deliveries d
     WHERE d.subscription_id = s.id AND ${laterTries} AND d.due_at <= :now
     ORDER BY d.due_at LIMIT 1)
    LIMIT 1) AS due
  WHERE s.is_active AND (h.throttled_until IS NULL OR h.throttled_until <= :now)`;

const dueSql = `
  SELECT s.id FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  ${anyDueSql} AND h.probe_at IS NULL
  ORDER BY s.id`;

/**
 * Open circuits whose next probe may go. All of them together get a bounded number of requests: a
 * thousand dead receivers must not fill the workers with requests that hang.
 */
const probesSql = `
  WITH open AS MATERIALIZED (
    SELECT h.subscription_id, h.probe_at, flying.subscription_id IS NOT NULL AS is_probing
    FROM subscription_health h
    LEFT JOIN LATERAL (
      SELECT f.subscription_id FROM deliveries f
      WHERE f.subscription_id = h.subscription_id AND f.state IN ('queued', 'sending') LIMIT 1
    ) AS flying ON true
    WHERE h.probe_at IS NOT NULL
  )
  SELECT s.id, (SELECT count(*) FROM open WHERE is_probing) AS probing
  FROM open JOIN subscriptions s ON s.id = open.subscription_id
  JOIN subscription_health h ON h.subscription_id = s.id
  ${anyDueSql} AND NOT open.is_probing AND open.probe_at <= :now
  ORDER BY open.probe_at`;

/** Hands out to these subscriptions whatever is due and fits. Returns how many went out. */
const handOutTo = async (
  { db, dispatcher }: DueDeps,
  subscriptionIds: readonly number[],
): Promise<number> => {
  const handedOut = await inTransaction(db, async (trx) => {
    await lockHealth(trx, subscriptionIds);
    return handOut(trx, subscriptionIds, { ...dispatcher.limits(), mayProbe: true });
  });
  await dispatcher.dispatch(handedOut);
  return handedOut.length;
};

/**
 * Probes as many as may be. One that cannot go now, because its queue takes nothing or its rate is
 * used up, leaves its turn to the next, however long that lasts.
 */
const handOutProbes = async (deps: DueDeps, now: Date): Promise<number> => {
  const open = await namedRowsOf<{ id: number; probing: number }>(deps.db, probesSql, { now });
  const room = deps.maxProbes - (open[0]?.probing ?? 0);
  let [count, start] = [0, 0];
  while (count < room && start < open.length) {
    const some = open.slice(start, start + Math.min(chunkSize, room - count));
    start += some.length;
    // oxlint-disable-next-line no-await-in-loop -- how many are left to try depends on it
    count += await handOutTo(
      deps,
      some.map(({ id }) => id),
    );
  }
  return count;
};

/** One pass over everything that is due. Returns how many deliveries were handed out. */
export const handOutDue = async (deps: DueDeps): Promise<number> => {
  const { now } = deps.dispatcher.limits();
  let count = await handOutProbes(deps, now);
  const due = await namedRowsOf<{ id: number }>(deps.db, dueSql, { now });
  const ids = due.map((row) => row.id);
  for (let start = 0; start < ids.length; start += chunkSize) {
    // oxlint-disable-next-line no-await-in-loop -- one lock set after the other
    count += await handOutTo(deps, ids.slice(start, start + chunkSize));
  }
  return count;
};
