/**
 * The health of receivers: its rows, under their lock, and how many requests each may get now.
 * `next-health.ts` changes it.
 */
import type { Db, Trx } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf, preparedRowsOf } from "../../platform/db/prepared.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { earliestDueSql, renewedEarliestDueSql } from "./earliest-due.ts";
import { firstAttemptsSql, inFlightStatesSql, laterAttemptsSql } from "./state-sql.ts";

/** How an attempt failed: the status of the answer, or the failure class without one. */
export type FailureResult = { status: number | null; failure: string | null };

/** The health of one subscription's receiver. */
export type Health = {
  subscriptionId: number;
  lastSequence: number;
  /** The concurrency window. Fractions carry slow growth from batch to batch. */
  windowSize: number;
  throttledUntil: Date | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  /** When its administrators were warned; null after a success. */
  warnedAt: Date | null;
  /** Failures since the last success. */
  failuresInRow: number;
  /** Set while the circuit is open: when the next probe may be sent. */
  probeAt: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** The result of the newest failure; null after a success. */
  lastFailure: FailureResult | null;
};

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

/**
 * SQL fragment that writes `:health`, a JSON list of `toHealthRow`, and sets `more`. The rows are
 * locked.
 */
export function updateHealthSql(...more: string[]): string {
  return `
    UPDATE subscription_health h
    SET window_size = l.window_size, throttled_until = l.throttled_until,
      failing_since = l.failing_since, warned_at = l.warned_at,
      failures_in_row = l.failures_in_row, probe_at = l.probe_at,
      last_success_at = l.last_success_at, last_failure_at = l.last_failure_at,
      failure_status = l.failure_status, failure = l.failure${more.map((set) => `, ${set}`).join("")}
    FROM json_to_recordset(CAST(:health AS json)) AS l(subscription_id bigint,
      window_size double precision, throttled_until timestamptz, failing_since timestamptz,
      warned_at timestamptz, failures_in_row integer, probe_at timestamptz,
      last_success_at timestamptz, last_failure_at timestamptz,
      failure_status integer, failure text)
    WHERE h.subscription_id = l.subscription_id`;
}

/**
 * Locks the health rows until the transaction ends, ordered by id, so that relay, settlements and
 * schedule cannot deadlock. Later reads see everything that the previous holder committed.
 */
export async function lockHealth(
  trx: Trx,
  subscriptionIds: readonly number[],
): Promise<Map<number, Health>> {
  const rows = await preparedRowsOf<HealthRow>(
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

/** A concurrency window that must not be larger. */
export type NarrowedWindow = { subscriptionId: number; size: number };

/**
 * Narrows concurrency windows before there are results that do so: receivers do not answer. What is
 * in flight continues, and successes widen the windows again. Returns, for each of them, whether it
 * was larger.
 */
export async function narrowWindows(
  db: Db,
  windows: readonly NarrowedWindow[],
): Promise<boolean[]> {
  const sizes = new Map<number, number>();
  for (const { subscriptionId: id, size } of windows) {
    sizes.set(id, Math.min(size, sizes.get(id) ?? size));
  }
  const larger = await inTransaction(db, async (trx) => {
    const locked = [...(await lockHealth(trx, [...sizes.keys()])).values()];
    const health = locked.flatMap((before) => {
      const windowSize = sizes.get(before.subscriptionId) ?? before.windowSize;
      return windowSize < before.windowSize ? [toHealthRow({ ...before, windowSize })] : [];
    });
    if (health.length > 0) {
      await preparedNamedRowsOf(trx, updateHealthSql(), { health: JSON.stringify(health) });
    }
    return new Set(health.map((row) => row.subscription_id));
  });
  return windows.map(({ subscriptionId }) => larger.has(subscriptionId));
}

/** When the first due delivery of the health row `h` is due; null if none is. Binds `:now`. */
export const firstDueAtSql = firstDueSinceSql(earliestDueSql);

/** The same for statements that store a new bound. */
export const renewedFirstDueAtSql = firstDueSinceSql(renewedEarliestDueSql);

function firstDueSinceSql(bound: string): string {
  return `least(${firstDueSql(firstAttemptsSql, bound)}, ${firstDueSql(laterAttemptsSql, bound)})`;
}

/** With EXISTS the planner might read all deliveries of the subscription. */
function firstDueSql(which: string, bound: string): string {
  return `(SELECT d.due_at FROM deliveries d
          WHERE d.subscription_id = h.subscription_id AND ${which} AND d.due_at <= :now
            AND d.due_at >= ${bound}
          ORDER BY d.due_at, d.sequence LIMIT 1)`;
}

/** Whether the circuit is open or the receiver asked for a pause: it gets nothing but probes. */
export function isSuspended({ probeAt, throttledUntil }: Health, now: Date): boolean {
  return probeAt !== null || (throttledUntil !== null && throttledUntil > now);
}

/** The same for the health row `h`. Binds `:now`. */
const isSuspendedSql = "(h.probe_at IS NOT NULL OR coalesce(h.throttled_until > :now, false))";

const hasNoBacklogSql = `s.max_per_second IS NULL AND h.failures_in_row = 0
    AND ${firstDueAtSql} IS NULL`;

/**
 * SELECT of `subscription_id`, `is_suspended` and `free` of the subscriptions that fulfil a condition
 * on `s.id`: the free part of each window, 0 if suspended. So many new deliveries may be queued as they
 * are inserted, which saves the statement that enqueues them; it would do nothing for those that are
 * suspended, as the relay sends no probes. Never more than the window allows, and none ahead of a
 * delivery that is due. Those that are missing need `enqueueDue`: they are off, or have a backlog, a
 * rate limit, or a receiver that failed last. Binds `:now` and `:maxInFlight`.
 */
export function windowsSql(condition: string): string {
  return `
  SELECT s.id AS subscription_id, ${isSuspendedSql} AS is_suspended,
    CASE WHEN ${isSuspendedSql} THEN 0 ELSE greatest(0,
      least(floor(h.window_size), s.max_in_flight, CAST(:maxInFlight AS integer)) - (
        SELECT count(*) FROM deliveries f
        WHERE f.subscription_id = s.id AND f.state IN ${inFlightStatesSql})) END AS free
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  WHERE ${condition} AND s.is_active AND (${isSuspendedSql} OR (${hasNoBacklogSql}))`;
}

const readFreeSql = `
  SELECT subscription_id, free
  FROM (${windowsSql("s.id = ANY(CAST(:subscriptions AS bigint[]))")}) AS one
  WHERE NOT is_suspended`;

/** The free windows by subscription: see `windowsSql`. The caller holds the health locks. */
export async function readFreeWindows(
  trx: Trx,
  subscriptions: readonly number[],
  { now, maxInFlight }: { now: Date; maxInFlight: number },
): Promise<Map<number, number>> {
  if (subscriptions.length === 0) {
    return new Map();
  }
  const bindings = { subscriptions, now, maxInFlight };
  const rows = await preparedNamedRowsOf<FreeWindow>(trx, readFreeSql, bindings);
  return new Map(rows.map(({ subscription_id, free }) => [subscription_id, free]));
}

type FreeWindow = { subscription_id: number; free: number };
