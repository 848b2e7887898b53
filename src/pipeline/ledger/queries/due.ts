/** Which subscriptions may get a request now or soon. One index probe each, however long a backlog is. */
import { namedRowsOf, type Db } from "../../../platform/db/pool.ts";
import { firstAttemptsSql, inFlightStatesSql, laterAttemptsSql } from "../state-sql.ts";

/** A subscription, and since when or from when on something of it may be sent. */
export type DueSubscription = { id: number; at: Date };

/** `probing`: of all subscriptions together, how many probes are in flight. */
export type DueProbe = DueSubscription & { probing: number };

/**
 * Since when, or from when on, something of the subscription `s` may go: `may_go.at`, no later than
 * `:until`. A list of the oldest due rows instead would let one subscription's million hide all
 * others.
 */
const sendableSql = `
  CROSS JOIN LATERAL (SELECT least(
    (SELECT d.due_at FROM deliveries d
     WHERE d.subscription_id = s.id AND ${firstAttemptsSql} AND d.due_at <= :until
     ORDER BY d.due_at LIMIT 1),
    (SELECT d.due_at FROM deliveries d
     WHERE d.subscription_id = s.id AND ${laterAttemptsSql} AND d.due_at <= :until
     ORDER BY d.due_at LIMIT 1)) AS at) AS due
  CROSS JOIN LATERAL (SELECT greatest(due.at, h.throttled_until, h.probe_at) AS at) AS may_go
  WHERE s.is_active AND due.at IS NOT NULL AND may_go.at <= :until`;

const dueSql = `
  SELECT s.id, may_go.at FROM subscriptions s
  JOIN subscription_health h ON h.subscription_id = s.id
  ${sendableSql} AND h.probe_at IS NULL
  ORDER BY s.id`;

/** Subscriptions with a closed circuit that have something to send by then. */
export function listDueSubscriptions(db: Db, until: Date): Promise<DueSubscription[]> {
  return namedRowsOf(db, dueSql, { until });
}

const probesSql = `
  WITH open AS MATERIALIZED (
    SELECT h.subscription_id, h.probe_at, in_flight.subscription_id IS NOT NULL AS is_probing
    FROM subscription_health h
    LEFT JOIN LATERAL (
      SELECT f.subscription_id FROM deliveries f
      WHERE f.subscription_id = h.subscription_id AND f.state IN ${inFlightStatesSql} LIMIT 1
    ) AS in_flight ON true
    WHERE h.probe_at IS NOT NULL
  )
  SELECT s.id, may_go.at, (SELECT count(*) FROM open WHERE is_probing) AS probing
  FROM open JOIN subscriptions s ON s.id = open.subscription_id
  JOIN subscription_health h ON h.subscription_id = s.id
  ${sendableSql} AND NOT open.is_probing
  ORDER BY open.probe_at`;

/** Subscriptions with an open circuit whose next probe may go by then, the longest overdue first. */
export function listDueProbes(db: Db, until: Date): Promise<DueProbe[]> {
  return namedRowsOf(db, probesSql, { until });
}
