/**
 * The rule by which a first attempt is sent without a claim. A fresh job carries its delivery, and
 * the `queued` row is reserved for it (`lease_until`): until then only the worker that holds the job
 * moves it. So the worker may start at once, and stores a claim only if the result takes long.
 *
 *   0 ms      the relay reserves the delivery and adds the job
 *   500 ms    a job that starts later is claimed, so a subscription that is off gets nothing more
 *   1,500 ms  at the latest, an attempt without a stored result has a claim, with the usual lease
 *   3,000 ms  the reservation ends
 *   5,000 ms  the sweeper requeues the delivery if its job is lost, and records the attempt
 *
 * The margin allows for clocks that differ by up to a second; each process follows the database's.
 */

/** A worker that gets a job within this time of its enqueue needs no claim. */
export const freshForMs = 500;

/** An attempt without a claim whose result is not stored after this time gets one. */
export const claimAfterMs = 1_000;

/** How long the delivery of a fresh job is reserved for it. */
export const reservedMs = 3_000;

/** Whether the reservation of a queued delivery has ended, if it had one. `now`: an expression. */
export function isUnreservedSql(now: string): string {
  return `(${neverReservedSql()} OR lease_until <= CAST(${now} AS timestamptz))`;
}

/**
 * Whether the queued delivery was never reserved. The worker of one that was may have sent it and
 * died, so only the holder of its job moves it, or the sweeper, which records that.
 */
export function neverReservedSql(leaseUntil = "lease_until"): string {
  return `${leaseUntil} IS NULL`;
}
