import { fastAnswerMs, type BatchOutcome, type Health, type WindowLimits } from "./health.ts";

/**
 * SQL condition on a health row: nothing failed since the last success, and the window is at its
 * ceiling `:ceiling`. Fast successes then change nothing but the time of the last one.
 */
export const isSteadySql = `failing_since IS NULL AND warned_at IS NULL AND failures_in_row = 0
      AND probe_at IS NULL AND failure IS NULL AND failure_status IS NULL
      AND window_size = CAST(:ceiling AS double precision)`;

/** SQL fragment in place of `updateHealthSql`, for rows that are locked and steady. */
export const touchHealthSql = `
    UPDATE subscription_health h SET last_success_at = :now
    WHERE h.subscription_id = ANY(CAST(:subscriptions AS bigint[])) AND (SELECT is_steady FROM gate)`;

/** The same as `isSteadySql`. */
export function isSteady(health: Health, { maxInFlight }: WindowLimits): boolean {
  return (
    health.failingSince === null &&
    health.warnedAt === null &&
    health.failuresInRow === 0 &&
    health.probeAt === null &&
    health.lastFailure === null &&
    health.windowSize === maxInFlight
  );
}

/** Whether a steady subscription is still steady after these results. */
export function remainsSteady(seen: BatchOutcome, { isOverloaded }: WindowLimits): boolean {
  return (
    seen.successes > 0 &&
    seen.failures === 0 &&
    seen.throttleMs === 0 &&
    seen.successMs / seen.successes <= fastAnswerMs &&
    !(seen.isCatchingUp && isOverloaded)
  );
}
