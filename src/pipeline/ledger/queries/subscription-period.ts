/** What the ledger stores about one subscription and a period. Bound to the enterprise. */
import { startOfDay } from "../../../platform/clock.ts";
import { namedRowsOf, rowsOf, type Queryable } from "../../../platform/db/pool.ts";
import type { SubscriptionMode } from "../../../contracts/subscriptions.ts";
import type { SubscriptionNow } from "./event-deliveries.ts";
import { pastEventColumns, toPastEvent, type PastEvent, type PastEventRow } from "./events.ts";

/** A subscription as it is now, possibly deleted, with its switch and its failures. */
export type SubscriptionStatus = SubscriptionNow & {
  mode: SubscriptionMode;
  isActive: boolean;
  isDeleted: boolean;
  maxInFlight: number | null;
  windowSize: number;
  lastSequence: number;
  failuresInRow: number;
  failingSince: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** The newest failure since the last success. */
  lastFailure: { status: number | null; failure: string | null };
};

type SubscriptionStatusRow = {
  id: number;
  name: string;
  mode: SubscriptionMode;
  is_active: boolean;
  is_deleted: boolean;
  max_in_flight: number | null;
  max_per_second: number | null;
  window_size: number;
  last_sequence: number;
  failures_in_row: number;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failure_status: number | null;
  failure: string | null;
  throttled_until: Date | null;
  probe_at: Date | null;
  pulled_to: number;
  pulled_at: Date | null;
};

/** A subscription of the enterprise, even if it is deleted. */
export async function findSubscriptionStatus(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<SubscriptionStatus | undefined> {
  const rows = await rowsOf<SubscriptionStatusRow>(
    db,
    `SELECT s.id, s.name, s.mode, s.is_active, s.deleted_at IS NOT NULL AS is_deleted,
       s.max_in_flight, s.max_per_second, h.window_size, h.last_sequence, h.failures_in_row, h.failing_since,
       h.last_success_at, h.last_failure_at, h.failure_status, h.failure, h.throttled_until,
       h.probe_at, h.pulled_to, h.pulled_at
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.enterprise_id = ? AND s.id = ?`,
    [enterpriseId, id],
  );
  return rows.map(toStatus)[0];
}

function toStatus(row: SubscriptionStatusRow): SubscriptionStatus {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    isActive: row.is_active,
    isDeleted: row.is_deleted,
    maxInFlight: row.max_in_flight,
    maxPerSecond: row.max_per_second,
    windowSize: row.window_size,
    lastSequence: row.last_sequence,
    failuresInRow: row.failures_in_row,
    failingSince: row.failing_since,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    lastFailure: { status: row.failure_status, failure: row.failure },
    throttledUntil: row.throttled_until,
    probeAt: row.probe_at,
    pulledTo: row.pulled_to,
    pulledAt: row.pulled_at,
  };
}

/** The enterprise of a subscription. Across enterprises: only for operators of the platform. */
export async function findEnterpriseOf(db: Queryable, id: number): Promise<number | undefined> {
  const sql = "SELECT enterprise_id FROM subscriptions WHERE id = ?";
  return (await rowsOf<{ enterprise_id: number }>(db, sql, [id]))[0]?.enterprise_id;
}

/** `beforeId` continues a walk; `limit` is the size of a page. */
export type NewestFirst = { since: Date; until: Date; beforeId: number; limit: number };

export type BackwardPage = {
  /** Newest first, by id. */
  events: PastEvent[];
  /** The id before which the walk continues; null if no older event is in the period. */
  next: number | null;
};

/**
 * Events get their time before their id. No transaction is open for longer, so an event that is
 * older than the period by this much has no event of the period before it.
 */
const longestTransactionMs = 5 * 60_000;

/**
 * A page of the enterprise's events in a period. Reads at most `limit` rows that are older than
 * `until`: whole days limit the query to the partitions of the period, and every row of these counts.
 * The condition and the order are those of the index by enterprise, so that the planner does not walk
 * the events of all enterprises by id.
 */
export async function listEventsBackwards(
  db: Queryable,
  enterpriseId: number,
  { since, until, beforeId, limit }: NewestFirst,
): Promise<BackwardPage> {
  const rows = await namedRowsOf<PastEventRow>(
    db,
    `SELECT ${pastEventColumns} FROM events e
     WHERE (e.enterprise_id, e.id) < (:enterpriseId, :beforeId)
       AND e.enterprise_id >= :enterpriseId
       AND e.occurred_at >= :fromDay AND e.occurred_at < :until
     ORDER BY e.enterprise_id DESC, e.id DESC LIMIT :limit`,
    { enterpriseId, beforeId, until, limit, fromDay: startOfDay(since) },
  );
  const last = rows.at(-1);
  const reached = since.getTime() - longestTransactionMs;
  const isWhole = rows.length < limit || (last?.occurred_at.getTime() ?? 0) < reached;
  return {
    events: rows.filter((row) => row.occurred_at >= since).map(toPastEvent),
    next: isWhole ? null : (last?.id ?? null),
  };
}
