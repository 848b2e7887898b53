import { inTransaction, rowsOf, type Db } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import { lockHealth } from "./health.ts";
import type { SwitchOffReason, WriteNotices } from "./notices.ts";
import { recordRevision, takeRevision } from "./revisions.ts";

const hourMs = 3_600_000;

/** Nothing but failures for so long: switched off. */
export const switchOffAfterMs = 120 * hourMs;

/** How long what waits for a subscription that is off is kept. */
export const keepPausedMs = 7 * 24 * hourMs;

export type SwitchOffDeps = Readonly<{
  db: Db;
  log: Pick<Logger, "warn">;
  writeNotices: WriteNotices;
}>;

/** After how many minutes of failures an alert is due: a day by default. */
export const defaultFailingMinutes = 24 * 60;

/**
 * When an alert about a subscription is due: its own threshold, else its enterprise's, else
 * the default. SQL about the row `s` of `subscriptions`.
 */
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
export const minAlertIntervalMs = 3_600_000;

/**
 * Whether the health row `h` has failed for so long that a warning is due, as of `:now`, and none
 * was written since it began to fail nor, of an earlier outage, after `:quietSince`.
 */
export const isWarningDueSql = `(
  ${thresholdsSql.failingMinutes} > 0
  AND h.failing_since <= CAST(:now AS timestamptz) - make_interval(mins => ${thresholdsSql.failingMinutes})
  AND (h.warned_at IS NULL OR h.warned_at < h.failing_since)
  AND (said.failing_told_at IS NULL OR said.failing_told_at <= :quietSince))`;

/**
 * Switches a subscription off, with a revision that says why and the notice of it, in one
 * transaction. Its backlog is kept; the schedule marks it `paused`. Does nothing to one that is off
 * already, nor, where `failingBefore` is given, to one that has not been failing since then: a
 * success may have come meanwhile. Returns whether it did something.
 */
export async function switchOff(
  { db, log, writeNotices }: SwitchOffDeps,
  subscriptionId: number,
  reason: SwitchOffReason,
  failingBefore?: Date,
): Promise<boolean> {
  if (!(await isActive(db, subscriptionId))) {
    return false;
  }
  const isOff = await inTransaction(db, async (trx) => {
    const revision = await takeRevision(trx);
    // Not FOR UPDATE: the relay holds the health lock when its deliveries refer to this row.
    const [row] = await rowsOf<{ enterprise_id: number }>(
      trx,
      "SELECT enterprise_id FROM subscriptions WHERE id = ? AND is_active FOR NO KEY UPDATE",
      [subscriptionId],
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

/** Of many workers that are answered 410 at once, most need not queue for the locks. */
async function isActive(db: Db, subscriptionId: number): Promise<boolean> {
  return (
    (await rowsOf(db, "SELECT 1 FROM subscriptions WHERE id = ? AND is_active", [subscriptionId]))
      .length > 0
  );
}
