import { rowsOf, type Db } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/logger.ts";
import { isFormerUrlSql } from "./former-urls.ts";
import { lockHealth } from "./health.ts";
import type { SwitchOffReason, WriteNotices } from "./notices.ts";
import { recordRevision, takeRevision } from "./revisions.ts";
import { hourMs } from "../../platform/clock.ts";

/** A subscription that has only failed for this long is switched off. */
export const switchOffAfterMs = 120 * hourMs;

/** How long paused deliveries of a disabled subscription are kept. */
export const keepPausedMs = 7 * 24 * hourMs;

export type SwitchOffDeps = Readonly<{
  db: Db;
  log: Pick<Logger, "warn">;
  writeNotices: WriteNotices;
}>;

/** Default failure time before an alert: a day. */
export const defaultFailingMinutes = 24 * 60;

/**
 * Thresholds of alerts: the subscription's own, else the enterprise's, else the default. SQL for
 * the row `s` of `subscriptions`.
 */
export const thresholdJoins = `
  LEFT JOIN alert_settings company ON company.enterprise_id = s.enterprise_id
  LEFT JOIN subscription_alerts own ON own.subscription_id = s.id
  LEFT JOIN alert_states sent ON sent.subscription_id = s.id`;

export const thresholdsSql = {
  failingMinutes: `coalesce(own.failing_minutes, company.failing_minutes, ${defaultFailingMinutes})`,
  pastDueMinutes: "coalesce(own.past_due_minutes, company.past_due_minutes, 0)",
  failedDeliveries: "coalesce(own.failed_deliveries, company.failed_deliveries, false)",
  repeatHours: "coalesce(company.repeat_hours, 0)",
} as const;

/**
 * Minimum time between two alerts of one kind for a subscription whose receiver fails
 * intermittently.
 */
export const minAlertIntervalMs = 3_600_000;

/**
 * Whether the health row `h` has failed long enough for a warning at `:now`, and none was sent
 * since the failure started, or for an earlier outage after `:quietSince`.
 */
export const isWarningDueSql = `(
  ${thresholdsSql.failingMinutes} > 0
  AND h.failing_since <= CAST(:now AS timestamptz) - make_interval(mins => ${thresholdsSql.failingMinutes})
  AND (h.warned_at IS NULL OR h.warned_at < h.failing_since)
  AND (sent.failing_notified_at IS NULL OR sent.failing_notified_at <= :quietSince))`;

/** What must still hold when a subscription is switched off. */
export type SwitchOffCondition = Readonly<{
  /** It has failed since before this time, without a success since. */
  failingBefore?: Date;
  /** It has the URL of this revision, which answered. */
  revision?: number | null;
}>;

/**
 * Switches a subscription off, with a revision and a notice, in one transaction. Its backlog is
 * kept; the schedule marks it `paused`. Does nothing if it is already off, or if the condition no
 * longer holds. Returns whether it did something.
 */
export async function switchOff(
  { db, log, writeNotices }: SwitchOffDeps,
  subscriptionId: number,
  reason: SwitchOffReason,
  { failingBefore, revision: answered = null }: SwitchOffCondition = {},
): Promise<boolean> {
  if (!(await isActive(db, subscriptionId))) {
    return false;
  }
  const isOff = await inTransaction(db, async (trx) => {
    const revision = await takeRevision(trx);
    // Not FOR UPDATE, because the relay holds the health lock when its deliveries reference this
    // row.
    const [row] = await rowsOf<{ enterprise_id: number }>(
      trx,
      `SELECT enterprise_id FROM subscriptions s
       WHERE id = ? AND is_active AND NOT ${isFormerUrlSql} FOR NO KEY UPDATE`,
      [subscriptionId, answered],
    );
    const health = (await lockHealth(trx, [subscriptionId])).get(subscriptionId);
    const failingSince = health?.failingSince ?? null;
    const isWanted =
      failingBefore === undefined || (failingSince !== null && failingSince <= failingBefore);
    if (row === undefined || !isWanted) {
      return false;
    }
    const { enterprise_id: enterpriseId } = row;
    await rowsOf(
      trx,
      `UPDATE subscriptions SET is_active = false, disabled_reason = ?
       WHERE enterprise_id = ? AND id = ?`,
      [reason, enterpriseId, subscriptionId],
    );
    await recordRevision(trx, subscriptionId, revision, { reason, changedBy: null });
    await writeNotices(trx, [
      { kind: "subscription.disabled", enterpriseId, subscriptionId, reason, failingSince },
    ]);
    return true;
  });
  if (isOff) {
    log.warn({ subscription_id: subscriptionId, reason }, "subscription.switched_off");
  }
  return isOff;
}

/** A cheap check without locks, because many workers may get a 410 at once. */
export async function isActive(db: Db, subscriptionId: number): Promise<boolean> {
  return (
    (await rowsOf(db, "SELECT 1 FROM subscriptions WHERE id = ? AND is_active", [subscriptionId]))
      .length > 0
  );
}
