import { toTimestampOrNull } from "../../platform/timestamps.ts";
import {
  alertLimits,
  type AlertSettings,
  type AlertThresholds,
  type ThresholdOverrides,
} from "./model.ts";
import {
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableTimestamp,
  text,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";

export const changeAlertsSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    failing_minutes: { ...count(alertLimits.failingMinutes.most), ...failingMinutes() },
    past_due_minutes: count(alertLimits.pastDueMinutes.most),
    failed_deliveries: flag,
    repeat_hours: count(alertLimits.repeatHours.most),
    administrators: flag,
    users: {
      type: "array",
      maxItems: alertLimits.users,
      uniqueItems: true,
      items: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    },
    emails: {
      type: "array",
      maxItems: alertLimits.emails,
      items: { type: "string", minLength: 1, maxLength: 320, described: { format: "email" } },
    },
  },
};

const nullableFlag = { type: ["boolean", "null"] };

const numberOrNull = ["integer", "null"];

export const changeWebhookAlertsSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    failing_minutes: {
      ...count(alertLimits.failingMinutes.most, numberOrNull),
      ...failingMinutes({ type: "null" }),
    },
    past_due_minutes: count(alertLimits.pastDueMinutes.most, numberOrNull),
    failed_deliveries: nullableFlag,
  },
};

const overrideMembers = {
  failing_minutes: nullableInteger,
  past_due_minutes: nullableInteger,
  failed_deliveries: nullableFlag,
};

export const alertsAnswer = exactObject("AlertSettings", {
  failing_minutes: integer,
  past_due_minutes: integer,
  failed_deliveries: flag,
  repeat_hours: integer,
  administrators: flag,
  users: { type: "array", items: exactObject("AlertUser", { id: integer, login: text }) },
  emails: {
    type: "array",
    items: exactObject("AlertEmail", { email: text, confirmed: nullableTimestamp }),
  },
  webhooks: {
    type: "array",
    items: exactObject("OwnAlertThresholds", { id: integer, ...overrideMembers }),
  },
});

export const webhookAlertsAnswer = exactObject("WebhookAlertSettings", {
  ...overrideMembers,
  effective: exactObject("EffectiveAlertThresholds", {
    failing_minutes: integer,
    past_due_minutes: integer,
    failed_deliveries: flag,
  }),
});

export const alertLinkSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["token"],
  properties: { token: { type: "string", minLength: 1, maxLength: 256 } },
};

export type AlertLinkBody = { token: string };

export const confirmedAnswer = exactObject("ConfirmedAlertEmail", { email: text, company: text });

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

export function presentWebhookAlerts({
  own,
  effective,
}: Readonly<{ own: ThresholdOverrides; effective: AlertThresholds }>) {
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

function count(most: number, type: string | string[] = "integer") {
  return {
    type,
    minimum: 0,
    maximum: most,
  };
}

/** 0 or within bounds; the service rejects values between them. */
function failingMinutes(...others: JsonSchema[]) {
  const { least, most } = alertLimits.failingMinutes;
  const numbers = { type: "integer", minimum: least, maximum: most };
  return { described: { anyOf: [{ type: "integer", enum: [0] }, numbers, ...others] } };
}
