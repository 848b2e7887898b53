/** Thresholds and recipients of mails about webhooks. Pure. */
import { invalidParameter, problem } from "../../contracts/problems.ts";
import { parseEmail } from "../../platform/contact.ts";

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
