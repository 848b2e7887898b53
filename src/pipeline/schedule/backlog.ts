/**
 * In: subscriptions that were switched on or off, or have failed for days. Out: their deliveries in
 * the state that follows, in batches; failing subscriptions switched off; old paused deliveries
 * cancelled; stuck successors released.
 * Guarantee: this pass only updates states; the claim itself stops requests immediately.
 * On crash: the next pass continues.
 */
import { type Clock, startTimeBudget } from "../../platform/clock.ts";
import { namedRowsOf, rowsOf, type Db } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import {
  isWarningDueSql,
  minAlertIntervalMs,
  thresholdJoins,
  keepPausedMs,
  switchOff,
  switchOffAfterMs,
} from "../ledger/switch-off.ts";
import { lockHealth } from "../ledger/health.ts";
import { sumPerSubscription, type Divisors } from "./per-subscription.ts";
import { releaseStuckSuccessors, listBlockedSubscriptions } from "../ledger/release-successors.ts";
import type { WriteNotices } from "../ledger/notices.ts";
import {
  listPendingBacklogMoves,
  moveBacklog,
  cancelPausedDeliveries,
  isLongOffAndPaused,
  listLongOff,
} from "../ledger/backlog-states.ts";

export type BacklogDeps = { db: Db; clock: Clock; log: Logger };

export type FailingDeps = BacklogDeps & { writeNotices: WriteNotices };

const batchSize = 5_000;

/** Small, because the relay may wait for the health lock. */
const cancelBatchSize = 1_000;

export type MoveDeps = BacklogDeps & {
  /** Plans for index lookups only. */
  ledgerDb: Db;
};

const divisorsByPass = new WeakMap<Db, Map<string, Divisors>>();

/** Each pass learns for itself which subscriptions need smaller batches. */
function divisorsOf(db: Db, pass: string): Divisors {
  const byPass = divisorsByPass.get(db) ?? new Map<string, Divisors>();
  divisorsByPass.set(db, byPass);
  const divisors = byPass.get(pass) ?? new Map<number, number>();
  byPass.set(pass, divisors);
  return divisors;
}

/** Moves one batch for each subscription whose deliveries do not match its state yet. */
export async function moveBacklogs(deps: MoveDeps, signal?: AbortSignal): Promise<number> {
  const budget = startTimeBudget(deps.clock, signal);
  const moves = await listPendingBacklogMoves(deps.ledgerDb);
  const pass = { log: deps.log, divisors: divisorsOf(deps.db, "backlogs"), budget };
  return sumPerSubscription(pass, moves, ({ subscriptionId, move }, divisor) =>
    moveBacklog[move](deps.db, subscriptionId, Math.ceil(batchSize / divisor)),
  );
}

/**
 * Warns once about subscriptions that only fail, and switches them off after 120 h. Each has its
 * own transaction, so an error about one affects no other and is retried in the next pass.
 */
export async function warnOrSwitchOffFailing(deps: FailingDeps): Promise<void> {
  const { db, clock, log } = deps;
  const now = clock.now();
  const offBefore = new Date(now.getTime() - switchOffAfterMs);
  for (const { id, isSwitchOffDue } of await listFailing(db, now, offBefore)) {
    try {
      if (isSwitchOffDue) {
        // oxlint-disable-next-line no-await-in-loop -- rare, and each in a transaction of its own
        await switchOff(deps, id, "failing", { failingBefore: offBefore });
        // oxlint-disable-next-line no-await-in-loop -- rare, and each in a transaction of its own
      } else if (await warn(deps, id, now)) {
        log.warn({ subscription_id: id }, "subscription.failing");
      }
    } catch (thrown) {
      const reason = toError(thrown).message;
      log.error({ subscription_id: id, reason }, "subscription.check_failed");
    }
  }
}

/** Active push subscriptions that are due for a warning or for switching off. */
async function listFailing(
  db: Db,
  now: Date,
  offBefore: Date,
): Promise<{ id: number; isSwitchOffDue: boolean }[]> {
  const rows = await namedRowsOf<{ id: number; is_switch_off_due: boolean }>(
    db,
    `SELECT s.id, h.failing_since <= :offBefore AS is_switch_off_due
     FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
     ${thresholdJoins}
     WHERE s.is_active AND s.mode = 'push'
       AND (h.failing_since <= :offBefore OR ${isWarningDueSql})
     ORDER BY s.id`,
    { offBefore, ...warningBindings(now) },
  );
  return rows.map((row) => ({ id: row.id, isSwitchOffDue: row.is_switch_off_due }));
}

/**
 * Warns once about a subscription that has reached its threshold. Rechecks under the lock of the
 * row, because another process or a success may have been faster. Returns whether it warned.
 */
async function warn(
  { db, writeNotices }: FailingDeps,
  subscriptionId: number,
  now: Date,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const [row] = await namedRowsOf<{ enterprise_id: number; failing_since: Date }>(
      trx,
      `UPDATE subscription_health h SET warned_at = :now
       FROM subscriptions s ${thresholdJoins}
       WHERE s.id = h.subscription_id AND h.subscription_id = :subscriptionId AND s.is_active
         AND ${isWarningDueSql}
       RETURNING s.enterprise_id, h.failing_since`,
      { subscriptionId, ...warningBindings(now) },
    );
    if (row === undefined) {
      return false;
    }
    await rowsOf(
      trx,
      `INSERT INTO alert_states (subscription_id, enterprise_id, failing_notified_at)
       VALUES (?, ?, ?)
       ON CONFLICT (subscription_id) DO UPDATE SET failing_notified_at = excluded.failing_notified_at`,
      [subscriptionId, row.enterprise_id, now],
    );
    await writeNotices(trx, [
      {
        kind: "subscription.warned",
        enterpriseId: row.enterprise_id,
        subscriptionId,
        failingSince: row.failing_since,
      },
    ]);
    return true;
  });
}

/** The bindings `:now` and `:quietSince` of `isWarningDueSql`. */
function warningBindings(now: Date) {
  return {
    now,
    quietSince: new Date(now.getTime() - minAlertIntervalMs),
  };
}

/** Cancels paused deliveries of subscriptions that have been off for 7 days. */
export async function cancelOldPaused(deps: BacklogDeps, signal?: AbortSignal): Promise<number> {
  const budget = startTimeBudget(deps.clock, signal);
  const offBefore = new Date(deps.clock.now().getTime() - keepPausedMs);
  const longOff = await listLongOff(deps.db, offBefore);
  const pass = { log: deps.log, divisors: divisorsOf(deps.db, "old-paused"), budget };
  return sumPerSubscription(pass, longOff.map(toSubject), async ({ subscriptionId }, divisor) => {
    const limit = Math.ceil(cancelBatchSize / divisor);
    let ended = 0;
    let inBatch = limit;
    while (inBatch === limit && !budget.isSpent()) {
      // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
      inBatch = await cancelBatch(deps, subscriptionId, { offBefore, limit });
      ended += inBatch;
    }
    return ended;
  });
}

function toSubject(subscriptionId: number) {
  return { subscriptionId };
}

async function cancelBatch(
  { db, clock }: BacklogDeps,
  subscriptionId: number,
  { offBefore, limit }: { offBefore: Date; limit: number },
): Promise<number> {
  return inTransaction(db, async (trx) => {
    await lockHealth(trx, [subscriptionId]);
    return (await isLongOffAndPaused(trx, subscriptionId, offBefore))
      ? cancelPausedDeliveries(trx, subscriptionId, { now: clock.now(), limit })
      : 0;
  });
}

/**
 * Releases successors whose predecessor has ended. There should be none: one would block all later
 * events of its object forever.
 */
export async function releaseOrphans(deps: BacklogDeps, signal?: AbortSignal): Promise<number> {
  const budget = startTimeBudget(deps.clock, signal);
  const blocked = await listBlockedSubscriptions(deps.db);
  const pass = { log: deps.log, divisors: divisorsOf(deps.db, "orphans"), budget };
  return sumPerSubscription(pass, blocked.map(toSubject), async ({ subscriptionId }, divisor) => {
    const limit = Math.ceil(batchSize / divisor);
    let released = 0;
    let after: number | undefined = 0;
    while (after !== undefined && !budget.isSpent()) {
      // oxlint-disable-next-line no-await-in-loop -- small batches, one after the other
      const result = await releaseStuckSuccessors(deps.db, subscriptionId, { after, limit });
      released += result.released;
      after = result.next;
    }
    if (released > 0) {
      const found = { subscription_id: subscriptionId, deliveries: released };
      deps.log.warn(found, "backlog.orphans_released");
    }
    return released;
  });
}
