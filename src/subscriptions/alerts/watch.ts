/**
 * In: the webhooks with alerts. Out: mails, and the state of the alerts.
 * Guarantee: a mail is committed together with its state, so that concurrent schedules send none twice.
 * On crash: the next pass continues from the stored state.
 */
import type { Clock } from "../../platform/clock.ts";
import { type Db, namedRowsOf, rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { SendNotice } from "../notices/notices.ts";
import type { NoticedSubscription } from "../notices/operational-events.ts";
import { findLastFailure } from "../../pipeline/ledger/notices.ts";
import { type AlertInputs, type AlertRules, type AlertState, decideAlerts } from "./model.ts";
import { thresholdJoins, thresholdsSql } from "../../pipeline/ledger/switch-off.ts";
import { oldestDueSql } from "../../pipeline/ledger/queries/backlog-counts.ts";

export type AlertWatchDeps = Readonly<{
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  sendNotice: SendNotice;
}>;

/** The data and the stored state from which due alerts are computed. */
export type WatchedWebhook = Readonly<{
  subscription: NoticedSubscription;
  rules: AlertRules;
  state: AlertState;
  inputs: AlertInputs;
}>;

/** One pass over all watched webhooks, with a transaction for each. */
export async function watchWebhooks(deps: AlertWatchDeps): Promise<void> {
  const { db, clock, log } = deps;
  await resetUnwatched(db);
  const countedUntil = await readCountedUntil(db);
  const now = clock.now();
  const watched = await readWatchedWebhooks(db, { now, countedUntil });
  for (const { subscription } of watched.filter((one) => isChanged(one, now))) {
    try {
      await evaluateWebhook(deps, subscription.id, countedUntil);
    } catch (thrown) {
      const reason = toError(thrown).message;
      log.error({ subscription_id: subscription.id, reason }, "subscription.check_failed");
    }
  }
}

/** A disabled webhook is not watched; its state starts again when it is switched on. */
async function resetUnwatched(db: Queryable): Promise<void> {
  await rowsOf(
    db,
    `UPDATE alert_states sent SET behind_since = NULL, is_behind_notified = false, failed_until = NULL
     FROM subscriptions s
     WHERE s.id = sent.subscription_id AND NOT (s.is_active AND s.mode = 'push')
       AND (sent.behind_since IS NOT NULL OR sent.failed_until IS NOT NULL)`,
  );
}

/** The time up to which the count of failed deliveries is final. */
async function readCountedUntil(db: Queryable): Promise<Date> {
  // An attempt is counted by its start time, and takes a while to end.
  const [row] = await rowsOf<{ until: Date }>(
    db,
    `SELECT date_trunc('minute', tallied_at - interval '2 minutes') AS until
     FROM delivery_tally_progress`,
  );
  return row?.until ?? new Date(0);
}

function isChanged({ state, inputs, rules }: WatchedWebhook, now: Date): boolean {
  const assessed = decideAlerts(state, inputs, rules, now);
  return assessed.alerts.length > 0 || JSON.stringify(assessed.state) !== JSON.stringify(state);
}

async function evaluateWebhook(
  { db, clock, log, sendNotice }: AlertWatchDeps,
  id: number,
  countedUntil: Date,
): Promise<void> {
  const now = clock.now();
  const events = await inTransaction(db, async (trx) => {
    await lockState(trx, id);
    // Read again under the lock: another schedule may have changed it.
    const [watched] = await readWatchedWebhooks(trx, { now, countedUntil, id });
    if (watched === undefined) {
      return [];
    }
    const { subscription, state, inputs, rules } = watched;
    const assessed = decideAlerts(state, inputs, rules, now);
    await saveState(trx, id, assessed.state);
    const { enterpriseId } = subscription;
    for (const alert of assessed.alerts) {
      const isOver = alert.kind === "caught_up";
      const lastFailure = isOver
        ? null
        : await findLastFailure(trx, { enterpriseId, subscriptionId: id });
      await sendNotice(trx, { notice: alert, subscription, lastFailure, at: now });
    }
    return assessed.alerts;
  });
  for (const { kind } of events) {
    log.warn({ subscription_id: id, alert: kind }, "subscription.alert");
  }
}

/** Creates the row if missing, and locks it against concurrent schedules. */
async function lockState(trx: Trx, subscriptionId: number): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO alert_states (subscription_id, enterprise_id)
     SELECT id, enterprise_id FROM subscriptions WHERE id = ? ON CONFLICT DO NOTHING`,
    [subscriptionId],
  );
  await rowsOf(trx, "SELECT FROM alert_states WHERE subscription_id = ? FOR UPDATE", [
    subscriptionId,
  ]);
}

type WatchedWebhookRow = {
  id: number;
  enterprise_id: number;
  name: string;
  url: string | null;
  failing_minutes: number;
  past_due_minutes: number;
  failed_deliveries: boolean;
  repeat_hours: number;
  failing_since: Date | null;
  warned_at: Date | null;
  behind_since: Date | null;
  is_behind_notified: boolean;
  behind_notified_at: Date | null;
  failing_notified_at: Date | null;
  failed_until: Date | null;
  failed_notified_at: Date | null;
  oldest_due: Date | null;
  failed: number;
};

const watchedSql = `
  SELECT s.id, s.enterprise_id, s.name, s.url, ${thresholdsSql.failingMinutes} AS failing_minutes,
    ${thresholdsSql.pastDueMinutes} AS past_due_minutes,
    ${thresholdsSql.failedDeliveries} AS failed_deliveries,
    ${thresholdsSql.repeatHours} AS repeat_hours, h.failing_since, h.warned_at, sent.behind_since,
    coalesce(sent.is_behind_notified, false) AS is_behind_notified, sent.behind_notified_at,
    sent.failing_notified_at, sent.failed_until, sent.failed_notified_at,
    CASE WHEN ${thresholdsSql.pastDueMinutes} > 0
      THEN ${oldestDueSql("s.id")} END AS oldest_due,
    CASE WHEN ${thresholdsSql.failedDeliveries} THEN (
      SELECT CAST(coalesce(sum(t.dead), 0) AS integer) FROM delivery_tallies t
      WHERE t.subscription_id = s.id AND t.step = 60
        AND t.at >= sent.failed_until AND t.at < :countedUntil) ELSE 0 END AS failed
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id ${thresholdJoins}
  WHERE s.is_active AND s.mode = 'push' AND s.deleted_at IS NULL
    AND (CAST(:id AS bigint) IS NULL OR s.id = :id)
    AND (${thresholdsSql.pastDueMinutes} > 0 OR ${thresholdsSql.failedDeliveries}
      OR (${thresholdsSql.repeatHours} > 0 AND h.warned_at IS NOT NULL)
      OR sent.behind_since IS NOT NULL OR sent.failed_until IS NOT NULL)
  ORDER BY s.id`;

/** Webhooks with at least one alert, or with a stored state. */
async function readWatchedWebhooks(
  db: Queryable,
  { now, countedUntil, id }: { now: Date; countedUntil: Date; id?: number },
): Promise<WatchedWebhook[]> {
  const rows = await namedRowsOf<WatchedWebhookRow>(db, watchedSql, {
    countedUntil,
    id: id ?? null,
  });
  return rows.map((row) => ({
    subscription: {
      id: row.id,
      enterpriseId: row.enterprise_id,
      name: row.name,
      url: row.url,
      isActive: true,
    },
    rules: {
      failingMinutes: row.failing_minutes,
      pastDueMinutes: row.past_due_minutes,
      failedDeliveries: row.failed_deliveries,
      repeatHours: row.repeat_hours,
    },
    state: {
      behindSince: row.behind_since,
      isBehindNotified: row.is_behind_notified,
      behindNotifiedAt: row.behind_notified_at,
      failingNotifiedAt: row.failing_notified_at,
      failedUntil: row.failed_until,
      failedNotifiedAt: row.failed_notified_at,
    },
    inputs: {
      oldestDue: row.oldest_due !== null && row.oldest_due <= now ? row.oldest_due : null,
      failingSince: row.failing_since,
      warnedAt: row.warned_at,
      failed: row.failed,
      countedUntil,
    },
  }));
}

async function saveState(trx: Trx, subscriptionId: number, state: AlertState): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE alert_states SET behind_since = ?, is_behind_notified = ?, behind_notified_at = ?,
       failing_notified_at = ?, failed_until = ?, failed_notified_at = ? WHERE subscription_id = ?`,
    [
      state.behindSince,
      state.isBehindNotified,
      state.behindNotifiedAt,
      state.failingNotifiedAt,
      state.failedUntil,
      state.failedNotifiedAt,
      subscriptionId,
    ],
  );
}
