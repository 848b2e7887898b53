/** The health of subscriptions as rows of `subscription_health`. */
import { rowsOf, type Trx } from "../../platform/db/pool.ts";
import type { Health } from "./health.ts";

type HealthRow = {
  subscription_id: number;
  last_sequence: number;
  window_size: number;
  throttled_until: Date | null;
  failing_since: Date | null;
  warned_at: Date | null;
  failures_in_row: number;
  probe_at: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failure_status: number | null;
  failure: string | null;
};

/** A part of a statement: writes `:health`, a JSON list of `toHealthRow`. Its rows are locked. */
export const updateHealthSql = `
    UPDATE subscription_health h
    SET window_size = l.window_size, throttled_until = l.throttled_until,
      failing_since = l.failing_since, warned_at = l.warned_at,
      failures_in_row = l.failures_in_row, probe_at = l.probe_at,
      last_success_at = l.last_success_at, last_failure_at = l.last_failure_at,
      failure_status = l.failure_status, failure = l.failure
    FROM json_to_recordset(CAST(:health AS json)) AS l(subscription_id bigint,
      window_size double precision, throttled_until timestamptz, failing_since timestamptz,
      warned_at timestamptz, failures_in_row integer, probe_at timestamptz,
      last_success_at timestamptz, last_failure_at timestamptz,
      failure_status integer, failure text)
    WHERE h.subscription_id = l.subscription_id`;

/**
 * Locks the health rows of these subscriptions until the transaction ends, always in the order of
 * their ids, so that relay, settlements and schedule never deadlock. What is read after it sees
 * everything that the previous holder committed.
 */
export async function lockHealth(
  trx: Trx,
  subscriptionIds: readonly number[],
): Promise<Map<number, Health>> {
  const rows = await rowsOf<HealthRow>(
    trx,
    `SELECT subscription_id, last_sequence, window_size, throttled_until, failing_since, warned_at,
       failures_in_row, probe_at, last_success_at, last_failure_at, failure_status, failure
     FROM subscription_health WHERE subscription_id = ANY(?::bigint[])
     ORDER BY subscription_id FOR UPDATE`,
    [subscriptionIds],
  );
  return new Map(rows.map((row) => [row.subscription_id, toHealth(row)]));
}

function toHealth(row: HealthRow): Health {
  return {
    subscriptionId: row.subscription_id,
    lastSequence: row.last_sequence,
    windowSize: row.window_size,
    throttledUntil: row.throttled_until,
    failingSince: row.failing_since,
    warnedAt: row.warned_at,
    failuresInRow: row.failures_in_row,
    probeAt: row.probe_at,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    lastFailure:
      row.failure_status === null && row.failure === null
        ? null
        : { status: row.failure_status, failure: row.failure },
  };
}

/** A health row as `updateHealthSql` takes it. */
export function toHealthRow(health: Health) {
  return {
    subscription_id: health.subscriptionId,
    window_size: health.windowSize,
    throttled_until: health.throttledUntil,
    failing_since: health.failingSince,
    warned_at: health.warnedAt,
    failures_in_row: health.failuresInRow,
    probe_at: health.probeAt,
    last_success_at: health.lastSuccessAt,
    last_failure_at: health.lastFailureAt,
    failure_status: health.lastFailure?.status ?? null,
    failure: health.lastFailure?.failure ?? null,
  };
}
