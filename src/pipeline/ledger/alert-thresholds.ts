/**
 * From when on people are told about a subscription: its own threshold, else its enterprise's, else
 * the default. SQL about the row `s` of `subscriptions`.
 */

/** A day, as long as nobody sets anything else. */
export const defaultFailingMinutes = 24 * 60;

export const thresholdJoins = `
  LEFT JOIN alert_settings company ON company.enterprise_id = s.enterprise_id
  LEFT JOIN subscription_alerts own ON own.subscription_id = s.id
  LEFT JOIN alert_states said ON said.subscription_id = s.id`;

export const thresholdsSql = {
  failingMinutes: `coalesce(own.failing_minutes, company.failing_minutes, ${defaultFailingMinutes})`,
  pastDueMinutes: "coalesce(own.past_due_minutes, company.past_due_minutes, 0)",
  failedDeliveries: "coalesce(own.failed_deliveries, company.failed_deliveries, false)",
  repeatHours: "coalesce(company.repeat_hours, 0)",
} as const;

/** Between two alerts of one kind about one subscription: a receiver may come and go all day. */
export const quietMs = 3_600_000;

/**
 * Whether the health row `h` has failed for so long that a warning is due, as of `:now`, and none
 * was written since it began to fail nor, of an earlier outage, after `:quietSince`.
 */
export const isWarningDueSql = `(
  ${thresholdsSql.failingMinutes} > 0
  AND h.failing_since <= CAST(:now AS timestamptz) - make_interval(mins => ${thresholdsSql.failingMinutes})
  AND (h.warned_at IS NULL OR h.warned_at < h.failing_since)
  AND (said.failing_told_at IS NULL OR said.failing_told_at <= :quietSince))`;
