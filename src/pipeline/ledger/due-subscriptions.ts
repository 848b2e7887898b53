/** Which subscriptions have something to send now or soon, whatever the size of their backlogs. */
import type { Db } from "../../platform/db/pool.ts";
import { preparedNamedRowsOf } from "../../platform/db/prepared.ts";
import { firstAttemptsSql, inFlightStatesSql, laterAttemptsSql } from "./state-sql.ts";

/** A subscription, and from when on one of its deliveries may be sent. */
export type DueSubscription = { id: number; at: Date };

/** `probing`: the number of probes in flight of all subscriptions together. */
export type DueProbe = DueSubscription & { probing: number };

/**
 * `may_go.at`: from when on a delivery of subscription `s` may be sent, at most `:until`. A list of
 * the oldest due rows would let the backlog of one subscription hide all others.
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

const dueSubscriptionsSql = `
  SELECT s.id, may_go.at FROM subscriptions s
  JOIN subscription_health h ON h.subscription_id = s.id
  ${sendableSql} AND h.probe_at IS NULL
  ORDER BY s.id`;

/**
 * Subscriptions with a closed circuit that have something to send before `until`. One index probe
 * each, whatever the size of the backlog.
 */
export function listDueSubscriptions(db: Db, until: Date): Promise<DueSubscription[]> {
  return preparedNamedRowsOf(db, dueSubscriptionsSql, { until });
}

const dueProbesSql = `
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

/**
 * Subscriptions with an open circuit whose next probe is due before `until`, the longest overdue
 * first.
 */
export function listDueProbes(db: Db, until: Date): Promise<DueProbe[]> {
  return preparedNamedRowsOf(db, dueProbesSql, { until });
}
