/** Stores the settings of alerts. Every statement filters by one enterprise. */
import {
  defaultFailingMinutes,
  thresholdJoins,
  thresholdsSql,
} from "../../pipeline/ledger/switch-off.ts";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import type { AlertSettings, AlertThresholds, ThresholdOverrides } from "./model.ts";

/** The settings without recipients. */
export type BasicAlertSettings = Omit<AlertSettings, "users" | "emails" | "webhooks">;

/** Creates the row if missing, and locks it to serialise changes of one enterprise. */
export async function lockSettings(
  trx: Trx,
  enterpriseId: number,
  today: string,
): Promise<{ settings: BasicAlertSettings; confirmationsToday: number }> {
  await rowsOf(
    trx,
    "INSERT INTO alert_settings (enterprise_id) VALUES (?) ON CONFLICT DO NOTHING",
    [enterpriseId],
  );
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `SELECT CASE WHEN confirmations_day = CAST(? AS date) THEN confirmations ELSE 0 END AS count
     FROM alert_settings WHERE enterprise_id = ? FOR UPDATE`,
    [today, enterpriseId],
  );
  const settings = await readSettings(trx, enterpriseId);
  return { settings, confirmationsToday: row?.count ?? 0 };
}

type SettingsRow = {
  failing_minutes: number;
  past_due_minutes: number;
  failed_deliveries: boolean;
  repeat_hours: number;
  to_administrators: boolean;
};

const defaults: BasicAlertSettings = {
  failingMinutes: defaultFailingMinutes,
  pastDueMinutes: 0,
  failedDeliveries: false,
  repeatHours: 0,
  administrators: true,
};

export async function readSettings(
  db: Queryable,
  enterpriseId: number,
): Promise<BasicAlertSettings> {
  const [row] = await rowsOf<SettingsRow>(
    db,
    `SELECT failing_minutes, past_due_minutes, failed_deliveries, repeat_hours, to_administrators
     FROM alert_settings WHERE enterprise_id = ?`,
    [enterpriseId],
  );
  return row === undefined
    ? defaults
    : {
        failingMinutes: row.failing_minutes,
        pastDueMinutes: row.past_due_minutes,
        failedDeliveries: row.failed_deliveries,
        repeatHours: row.repeat_hours,
        administrators: row.to_administrators,
      };
}

export async function writeSettings(
  trx: Trx,
  enterpriseId: number,
  settings: BasicAlertSettings,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE alert_settings SET failing_minutes = ?, past_due_minutes = ?, failed_deliveries = ?,
       repeat_hours = ?, to_administrators = ?, modified_at = now() WHERE enterprise_id = ?`,
    [
      settings.failingMinutes,
      settings.pastDueMinutes,
      settings.failedDeliveries,
      settings.repeatHours,
      settings.administrators,
      enterpriseId,
    ],
  );
}

export async function countConfirmations(
  trx: Trx,
  enterpriseId: number,
  { today, count }: { today: string; count: number },
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE alert_settings SET confirmations_day = CAST(? AS date), confirmations = ?
     WHERE enterprise_id = ?`,
    [today, count, enterpriseId],
  );
}

export async function listUserIds(db: Queryable, enterpriseId: number): Promise<number[]> {
  const rows = await rowsOf<{ user_id: number }>(
    db,
    "SELECT user_id FROM alert_users WHERE enterprise_id = ? ORDER BY user_id",
    [enterpriseId],
  );
  return rows.map((row) => row.user_id);
}

/** Replaces the users who get alerts. */
export async function setUsers(
  trx: Trx,
  enterpriseId: number,
  userIds: readonly number[],
): Promise<void> {
  await rowsOf(trx, "DELETE FROM alert_users WHERE enterprise_id = ?", [enterpriseId]);
  await rowsOf(
    trx,
    `INSERT INTO alert_users (enterprise_id, user_id)
     SELECT ?, id FROM unnest(?::bigint[]) AS chosen (id)`,
    [enterpriseId, userIds],
  );
}

type OverrideRow = {
  own_failing: number | null;
  own_past_due: number | null;
  own_failed: boolean | null;
  failing: number;
  past_due: number;
  failed: boolean;
};

/** The thresholds of one webhook, and those in effect. */
export async function readOverrides(
  db: Queryable,
  enterpriseId: number,
  subscriptionId: number,
): Promise<{ own: ThresholdOverrides; effective: AlertThresholds } | undefined> {
  const [row] = await rowsOf<OverrideRow>(
    db,
    `SELECT own.failing_minutes AS own_failing, own.past_due_minutes AS own_past_due,
       own.failed_deliveries AS own_failed, ${thresholdsSql.failingMinutes} AS failing,
       ${thresholdsSql.pastDueMinutes} AS past_due, ${thresholdsSql.failedDeliveries} AS failed
     FROM subscriptions s ${thresholdJoins}
     WHERE s.enterprise_id = ? AND s.id = ? AND s.deleted_at IS NULL`,
    [enterpriseId, subscriptionId],
  );
  return (
    row && {
      own: {
        failingMinutes: row.own_failing,
        pastDueMinutes: row.own_past_due,
        failedDeliveries: row.own_failed,
      },
      effective: {
        failingMinutes: row.failing,
        pastDueMinutes: row.past_due,
        failedDeliveries: row.failed,
      },
    }
  );
}

/** The ids of webhooks with their own thresholds. */
export async function listOverrides(
  db: Queryable,
  enterpriseId: number,
): Promise<(ThresholdOverrides & { id: number })[]> {
  const rows = await rowsOf<{
    id: number;
    failing_minutes: number | null;
    past_due_minutes: number | null;
    failed_deliveries: boolean | null;
  }>(
    db,
    `SELECT s.id, own.failing_minutes, own.past_due_minutes, own.failed_deliveries
     FROM subscription_alerts own JOIN subscriptions s ON s.id = own.subscription_id
     WHERE own.enterprise_id = ? AND s.deleted_at IS NULL AND (own.failing_minutes IS NOT NULL
       OR own.past_due_minutes IS NOT NULL OR own.failed_deliveries IS NOT NULL)
     ORDER BY s.id`,
    [enterpriseId],
  );
  return rows.map((row) => ({
    id: row.id,
    failingMinutes: row.failing_minutes,
    pastDueMinutes: row.past_due_minutes,
    failedDeliveries: row.failed_deliveries,
  }));
}

export async function writeOverrides(
  trx: Trx,
  { enterpriseId, subscriptionId }: { enterpriseId: number; subscriptionId: number },
  own: ThresholdOverrides,
): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO subscription_alerts (subscription_id, enterprise_id, failing_minutes,
       past_due_minutes, failed_deliveries) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (subscription_id) DO UPDATE SET failing_minutes = excluded.failing_minutes,
       past_due_minutes = excluded.past_due_minutes, failed_deliveries = excluded.failed_deliveries`,
    [subscriptionId, enterpriseId, own.failingMinutes, own.pastDueMinutes, own.failedDeliveries],
  );
}
