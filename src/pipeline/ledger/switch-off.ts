import { inTransaction, rowsOf, type Db } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import { recordRevision, takeRevision } from "./revise.ts";

/** Why the platform switched a subscription off. Shown as `disabled_reason`. */
export type SwitchOffReason = "gone" | "failing";

/**
 * Switches a subscription off, with a revision that says why. Its backlog is kept; the schedule
 * marks it `paused`. Does nothing to one that is off already. Returns whether it did something.
 */
export const switchOff = async (
  db: Db,
  subscriptionId: number,
  reason: SwitchOffReason,
  log: Logger,
): Promise<boolean> => {
  const isOff = await inTransaction(db, async (trx) => {
    const revision = await takeRevision(trx);
    const rows = await rowsOf(
      trx,
      `UPDATE subscriptions SET is_active = false, disabled_reason = ?
       WHERE id = ? AND is_active RETURNING id`,
      [reason, subscriptionId],
    );
    if (rows.length > 0) {
      await recordRevision(trx, subscriptionId, revision, { reason, changedBy: null });
    }
    return rows.length > 0;
  });
  if (isOff) {
    log.warn({ subscription_id: subscriptionId, reason }, "subscription.switched_off");
  }
  return isOff;
};
