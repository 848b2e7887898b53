import {
  exactObject,
  flag,
  integer,
  nullableInteger,
  nullableTimestamp,
  text,
} from "../../http/answer-schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { bounds } from "./model.ts";

export const changeAlertsSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    failing_minutes: count(bounds.failingMinutes.most),
    past_due_minutes: count(bounds.pastDueMinutes.most),
    failed_deliveries: flag,
    repeat_hours: count(bounds.repeatHours.most),
    administrators: flag,
    users: {
      type: "array",
      maxItems: bounds.users,
      uniqueItems: true,
      items: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    },
    emails: {
      type: "array",
      maxItems: bounds.emails,
      items: { type: "string", minLength: 1, maxLength: 320 },
    },
  },
};

const nullableFlag = { type: ["boolean", "null"] };

const numberOrNull = ["integer", "null"];

export const changeOwnAlertsSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    failing_minutes: count(bounds.failingMinutes.most, numberOrNull),
    past_due_minutes: count(bounds.pastDueMinutes.most, numberOrNull),
    failed_deliveries: nullableFlag,
  },
};

const own = {
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
  webhooks: { type: "array", items: exactObject("OwnAlertThresholds", { id: integer, ...own }) },
});

export const ownAlertsAnswer = exactObject("WebhookAlertSettings", {
  ...own,
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

function count(most: number, type: string | string[] = "integer") {
  return {
    type,
    minimum: 0,
    maximum: most,
  };
}
