/** Thresholds and recipients of mails about webhooks. Pure. */
import { invalidParameter, problem } from "../../contracts/problems.ts";
import { minAlertIntervalMs } from "../../pipeline/ledger/switch-off.ts";
import { parseEmail } from "../../platform/contact.ts";
import { hourMs, minuteMs } from "../../platform/clock.ts";

/** In minutes; 0: off. */
export type AlertThresholds = Readonly<{
  /** No success for this time. */
  failingMinutes: number;
  /** The oldest due delivery is late by this time. */
  pastDueMinutes: number;
  /** A delivery is dead. */
  failedDeliveries: boolean;
}>;

/** The thresholds of one webhook. Null: the enterprise's. */
export type ThresholdOverrides = {
  readonly [Name in keyof AlertThresholds]: AlertThresholds[Name] | null;
};

export type AlertEmail = Readonly<{ email: string; confirmed: Date | null }>;

export type AlertSettings = AlertThresholds &
  Readonly<{
    /** Interval of reminders; 0: none. */
    repeatHours: number;
    administrators: boolean;
    users: readonly Readonly<{ id: number; login: string }>[];
    emails: readonly AlertEmail[];
    /** Webhooks with thresholds of their own. */
    webhooks: readonly (ThresholdOverrides & Readonly<{ id: number }>)[];
  }>;

export const alertLimits = {
  /** Below 120 hours, after which a webhook is switched off. */
  failingMinutes: { least: 5, most: 119 * 60 },
  pastDueMinutes: { least: 1, most: 24 * 60 },
  repeatHours: { least: 1, most: 7 * 24 },
  users: 50,
  emails: 10,
  /** Confirmation mails of one enterprise, which go to unconfirmed addresses. */
  confirmationsPerDay: 20,
} as const;

export type AlertChange = Readonly<{
  failing_minutes?: number;
  past_due_minutes?: number;
  failed_deliveries?: boolean;
  repeat_hours?: number;
  administrators?: boolean;
  users?: readonly number[];
  emails?: readonly string[];
}>;

export type WebhookAlertChange = Readonly<{
  failing_minutes?: number | null;
  past_due_minutes?: number | null;
  failed_deliveries?: boolean | null;
}>;

type Bounded = "failingMinutes" | "pastDueMinutes" | "repeatHours";

export function checkNumbers(change: AlertChange | WebhookAlertChange): void {
  checkNumber("failingMinutes", change.failing_minutes);
  checkNumber("pastDueMinutes", change.past_due_minutes);
  checkNumber("repeatHours", "repeat_hours" in change ? change.repeat_hours : undefined);
}

const fieldOf: Readonly<Record<Bounded, string>> = {
  failingMinutes: "failing_minutes",
  pastDueMinutes: "past_due_minutes",
  repeatHours: "repeat_hours",
};

/** Rejects values between 0 and the minimum, which the schema allows. */
function checkNumber(name: Bounded, value: number | null | undefined): void {
  const { least, most } = alertLimits[name];
  if (value !== null && value !== undefined && value !== 0 && (value < least || value > most)) {
    const detail = `The ${fieldOf[name]} field is invalid: it must be 0 (never), or from ${least} to ${most}.`;
    throw invalidParameter(fieldOf[name], "range", detail);
  }
}

/** As stored: without duplicates, whatever the case. */
export function parseEmails(texts: readonly string[]): string[] {
  const emails = new Map<string, string>();
  for (const [index, text] of texts.entries()) {
    const email = parseEmail(text);
    if (email === undefined) {
      throw invalidParameter(`emails[${index}]`, "format", "The email address is invalid.");
    }
    if (!emails.has(email.toLowerCase())) {
      emails.set(email.toLowerCase(), email);
    }
  }
  return [...emails.values()];
}

/** `sentToday`: confirmation mails of today. */
export function checkConfirmations(sentToday: number, wanted: number): void {
  if (sentToday + wanted > alertLimits.confirmationsPerDay) {
    const most = alertLimits.confirmationsPerDay;
    throw problem(
      "quota_reached",
      `Confirmations can be requested for at most ${most} addresses per day.`,
      {
        details: "Quota confirmations",
      },
    );
  }
}

export type AlertRules = AlertThresholds & Readonly<{ repeatHours: number }>;

export type AlertState = Readonly<{
  /** Due time of the oldest delivery when the webhook fell behind. */
  behindSince: Date | null;
  isBehindNotified: boolean;
  behindNotifiedAt: Date | null;
  failingNotifiedAt: Date | null;
  /** Earlier failures were reported, or happened before the alert was configured. */
  failedUntil: Date | null;
  failedNotifiedAt: Date | null;
}>;

export type AlertInputs = Readonly<{
  /** Due time of the oldest delivery that is due. */
  oldestDue: Date | null;
  failingSince: Date | null;
  warnedAt: Date | null;
  /** Deliveries that failed between `failedUntil` and `countedUntil`. */
  failed: number;
  countedUntil: Date;
}>;

export type Alert =
  | Readonly<{ kind: "behind"; since: Date }>
  | Readonly<{ kind: "caught_up"; since: Date }>
  | Readonly<{ kind: "failing"; since: Date }>
  | Readonly<{ kind: "failed"; since: Date; count: number }>;

type AlertDecision = Readonly<{ state: AlertState; alerts: readonly Alert[] }>;

/** All alerts that are due now. Idempotent: with the returned state no alert is due. */
export function decideAlerts(
  before: AlertState,
  reading: AlertInputs,
  rules: AlertRules,
  now: Date,
): AlertDecision {
  const behind = decideBehind(before, reading, rules, now);
  const failing = decideFailing(behind.state, reading, rules, now);
  const failed = decideFailed(failing.state, reading, rules, now);
  return {
    state: failed.state,
    alerts: [...behind.alerts, ...failing.alerts, ...failed.alerts],
  };
}

function decideBehind(
  state: AlertState,
  reading: AlertInputs,
  rules: AlertRules,
  now: Date,
): AlertDecision {
  const limitMs = rules.pastDueMinutes * minuteMs;
  const { behindSince, isBehindNotified, behindNotifiedAt } = state;
  if (!isBehind(state, reading, limitMs, now)) {
    const isOver = behindSince !== null && isBehindNotified && limitMs > 0;
    return {
      state: { ...state, behindSince: null, isBehindNotified: false },
      alerts: isOver ? [{ kind: "caught_up", since: behindSince }] : [],
    };
  }
  const since = behindSince ?? reading.oldestDue ?? now;
  const repeatMs = rules.repeatHours === 0 ? Number.POSITIVE_INFINITY : rules.repeatHours * hourMs;
  const isDue = ageMs(behindNotifiedAt, now) >= (isBehindNotified ? repeatMs : minAlertIntervalMs);
  return isDue
    ? {
        state: { ...state, behindSince: since, isBehindNotified: true, behindNotifiedAt: now },
        alerts: [{ kind: "behind", since }],
      }
    : { state: { ...state, behindSince: since }, alerts: [] };
}

/** Hysteresis: a webhook has caught up at half of the threshold, which avoids repeated alerts. */
function isBehind(state: AlertState, reading: AlertInputs, limitMs: number, now: Date): boolean {
  if (reading.oldestDue === null || limitMs === 0) {
    return false;
  }
  const late = ageMs(reading.oldestDue, now);
  return late > (state.behindSince === null ? limitMs : limitMs / 2);
}

/** Reminders only: the schedule sends the first warning. */
function decideFailing(
  state: AlertState,
  reading: AlertInputs,
  rules: AlertRules,
  now: Date,
): AlertDecision {
  const { failingSince, warnedAt } = reading;
  const isWarned = failingSince !== null && warnedAt !== null && warnedAt >= failingSince;
  const sinceLast = Math.min(ageMs(warnedAt, now), ageMs(state.failingNotifiedAt, now));
  return isWarned && rules.repeatHours > 0 && sinceLast >= rules.repeatHours * hourMs
    ? {
        state: { ...state, failingNotifiedAt: now },
        alerts: [{ kind: "failing", since: failingSince }],
      }
    : { state, alerts: [] };
}

/**
 * Thousands may fail at once, so failed deliveries are reported as a count, at most once an hour. The
 * interval of reminders does not apply: it can be longer than the tallies are kept.
 */
function decideFailed(
  state: AlertState,
  reading: AlertInputs,
  rules: AlertRules,
  now: Date,
): AlertDecision {
  const { failed, countedUntil } = reading;
  const { failedUntil, failedNotifiedAt } = state;
  if (!rules.failedDeliveries) {
    return { state: { ...state, failedUntil: null }, alerts: [] };
  }
  // From now on: earlier failures are in the log.
  if (failedUntil === null) {
    return { state: { ...state, failedUntil: countedUntil }, alerts: [] };
  }
  if (failed === 0) {
    const isOld = countedUntil.getTime() - failedUntil.getTime() >= hourMs;
    return { state: isOld ? { ...state, failedUntil: countedUntil } : state, alerts: [] };
  }
  return ageMs(failedNotifiedAt, now) >= minAlertIntervalMs
    ? {
        state: { ...state, failedUntil: countedUntil, failedNotifiedAt: now },
        alerts: [{ kind: "failed", since: failedUntil, count: failed }],
      }
    : { state, alerts: [] };
}

function ageMs(at: Date | null, now: Date): number {
  return at === null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime();
}
