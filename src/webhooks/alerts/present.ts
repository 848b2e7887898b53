import { toTimestampOrNull } from "../../platform/timestamps.ts";
import type { AlertSettings, OwnThresholds, Thresholds } from "./model.ts";

export function presentAlerts(settings: AlertSettings) {
  return {
    failing_minutes: settings.failingMinutes,
    past_due_minutes: settings.pastDueMinutes,
    failed_deliveries: settings.failedDeliveries,
    repeat_hours: settings.repeatHours,
    administrators: settings.administrators,
    users: settings.users.map(({ id, login }) => ({ id, login })),
    emails: settings.emails.map(({ email, confirmed }) => ({
      email,
      confirmed: toTimestampOrNull(confirmed),
    })),
    webhooks: settings.webhooks.map(({ id, ...own }) => ({
      id,
      failing_minutes: own.failingMinutes,
      past_due_minutes: own.pastDueMinutes,
      failed_deliveries: own.failedDeliveries,
    })),
  };
}

export function presentOwnAlerts({
  own,
  effective,
}: Readonly<{ own: OwnThresholds; effective: Thresholds }>) {
  return {
    failing_minutes: own.failingMinutes,
    past_due_minutes: own.pastDueMinutes,
    failed_deliveries: own.failedDeliveries,
    effective: {
      failing_minutes: effective.failingMinutes,
      past_due_minutes: effective.pastDueMinutes,
      failed_deliveries: effective.failedDeliveries,
    },
  };
}
