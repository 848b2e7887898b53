/**
 * In: subscriptions that are about to get new deliveries. Out: how many of these may be queued as
 * they are inserted, which saves the statement that enqueues them.
 * Guarantee: never more than the concurrency window allows, and none ahead of a delivery that is
 * due. The caller holds the health locks.
 */
import type { Trx } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import type { EnqueueLimits } from "./enqueue-due.ts";
import type { Health } from "./health.ts";
import { firstAttemptsSql, inFlightStatesSql, laterAttemptsSql } from "./state-sql.ts";

/** A subscription without a rate limit for which nothing is due. */
export type IdleSubscription = { id: number; max_in_flight: number | null; in_flight: number };

const idleSql = `
  SELECT s.id, s.max_in_flight, (
      SELECT count(*) FROM deliveries f
      WHERE f.subscription_id = s.id AND f.state IN ${inFlightStatesSql}) AS in_flight
  FROM subscriptions s
  WHERE s.id = ANY(?::bigint[]) AND s.is_active AND s.max_per_second IS NULL
    AND ${noneDueSql(firstAttemptsSql)} AND ${noneDueSql(laterAttemptsSql)}`;

/** With EXISTS the planner might read all deliveries of the subscription. */
function noneDueSql(which: string): string {
  return `(SELECT 1 FROM deliveries d WHERE d.subscription_id = s.id AND ${which}
      ORDER BY d.due_at, d.sequence LIMIT 1) IS NULL`;
}

export async function readIdleSubscriptions(
  trx: Trx,
  subscriptionIds: readonly number[],
): Promise<IdleSubscription[]> {
  return subscriptionIds.length === 0 ? [] : preparedRowsOf(trx, idleSql, [subscriptionIds]);
}

/**
 * The free part of each window. Subscriptions that are missing need `enqueueDue`: they have a
 * backlog, a rate limit, or a receiver that fails or asked for a pause.
 */
export function freeWindowsOf(
  idle: readonly IdleSubscription[],
  health: ReadonlyMap<number, Health>,
  { now, maxInFlight }: Pick<EnqueueLimits, "now" | "maxInFlight">,
): Map<number, number> {
  const free = new Map<number, number>();
  for (const { id, max_in_flight, in_flight } of idle) {
    const state = health.get(id);
    if (state !== undefined && isHealthy(state, now)) {
      const allowed = Math.min(
        Math.floor(state.windowSize),
        max_in_flight ?? maxInFlight,
        maxInFlight,
      );
      free.set(id, Math.max(0, allowed - in_flight));
    }
  }
  return free;
}

function isHealthy({ failuresInRow, throttledUntil, probeAt }: Health, now: Date): boolean {
  const isThrottled = throttledUntil !== null && throttledUntil > now;
  return failuresInRow === 0 && probeAt === null && !isThrottled;
}
