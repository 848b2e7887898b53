/** Queries for operational metrics. Each is bounded, whatever the size of the backlog. */
import type {
  OutboxState,
  SubscriptionCounts,
  WindowTotals,
} from "../../../contracts/platform-state.ts";
import { rowsOf, type Db } from "../../../platform/db/pool.ts";
import { firstAttemptsSql, inFlightStatesSql, laterAttemptsSql } from "../state-sql.ts";

/** Counts stop here: an exact count of millions would be expensive. */
const maxCounted = 100_000;

export async function readOutbox(db: Db): Promise<OutboxState> {
  const [row] = await rowsOf<OutboxState>(
    db,
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ?) AS counted) AS rows,
       (SELECT count(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS counted) AS "deadLetters",
       (SELECT failed_at FROM outbox_dead ORDER BY event_row_id LIMIT 1) AS "deadLettersSince",
       (SELECT reason FROM outbox_dead ORDER BY event_row_id DESC LIMIT 1) AS "deadLetterReason",
       (SELECT occurred_at FROM outbox ORDER BY event_row_id LIMIT 1) AS oldest`,
    [maxCounted, maxCounted],
  );
  return (
    row ?? { rows: 0, deadLetters: 0, deadLettersSince: null, deadLetterReason: null, oldest: null }
  );
}

/**
 * When the most overdue delivery was due. Throttling and open circuits postpone that time, because
 * an outage of the receiver is not ours.
 */
export async function readPastDue(db: Db, now: Date): Promise<Date | null> {
  const [row] = await rowsOf<{ oldest: Date | null }>(
    db,
    `SELECT min(greatest(oldest.due_at, h.throttled_until, h.probe_at)) AS oldest
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id,
     LATERAL (
       (SELECT d.due_at FROM deliveries d
        WHERE d.subscription_id = s.id AND ${firstAttemptsSql}
        ORDER BY d.due_at LIMIT 1)
       UNION ALL
       (SELECT d.due_at FROM deliveries d
        WHERE d.subscription_id = s.id AND ${laterAttemptsSql}
        ORDER BY d.due_at LIMIT 1)
       UNION ALL
       (SELECT min(d.due_at) FROM deliveries d
        WHERE d.subscription_id = s.id AND d.state IN ${inFlightStatesSql})
     ) AS oldest
     WHERE s.is_active AND (h.throttled_until IS NULL OR h.throttled_until <= ?)
       AND (h.probe_at IS NULL OR h.probe_at <= ?) AND oldest.due_at <= ?`,
    [now, now, now],
  );
  return row?.oldest ?? null;
}

/** The number of subscriptions in each state. */
export async function readSubscriptionCounts(db: Db, now: Date): Promise<SubscriptionCounts> {
  const rows = await rowsOf<{ state: keyof SubscriptionCounts; count: number }>(
    db,
    `SELECT CASE WHEN NOT s.is_active THEN 'off' WHEN h.throttled_until > ? THEN 'throttled'
         WHEN h.probe_at IS NOT NULL THEN 'open'
         WHEN h.failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state,
       count(*) AS count
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     WHERE s.deleted_at IS NULL GROUP BY 1`,
    [now],
  );
  const none = { active: 0, failing: 0, throttled: 0, open: 0, off: 0 };
  return rows.reduce((counts, { state, count }) => ({ ...counts, [state]: count }), none);
}

/** The sums of all concurrency windows and of all deliveries in flight. */
export async function readWindows(db: Db): Promise<WindowTotals> {
  const [row] = await rowsOf<{ allowed: number | null; in_flight: number }>(
    db,
    `SELECT
       (SELECT CAST(sum(floor(h.window_size)) AS bigint) FROM subscription_health h
        JOIN subscriptions s ON s.id = h.subscription_id WHERE s.is_active) AS allowed,
       (SELECT count(*) FROM deliveries d WHERE d.state IN ${inFlightStatesSql}) AS in_flight`,
  );
  return { allowed: row?.allowed ?? 0, inFlight: row?.in_flight ?? 0 };
}
