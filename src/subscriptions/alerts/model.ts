/** When people get a mail about webhooks, and who. Pure. */
import { invalidParameter, problem } from "../../contracts/problems.ts";
import { parseEmail } from "../../platform/contact.ts";

/** In minutes; 0: never. */
export type AlertThresholds = Readonly<{
  /** Nothing but failures for so long. */
  failingMinutes: number;
  /** A delivery should have gone out so long ago. */
  pastDueMinutes: number;
  /** A delivery failed for good. */
  failedDeliveries: boolean;
}>;

/** What a webhook has of its own. Null: as the enterprise. */
export type ThresholdOverrides = {
  readonly [Name in keyof AlertThresholds]: AlertThresholds[Name] | null;
};

export type AlertEmail = Readonly<{ email: string; confirmed: Date | null }>;

export type AlertSettings = AlertThresholds &
  Readonly<{
    /** Reminders while it lasts; 0: none. */
    repeatHours: number;
    administrators: boolean;
    users: readonly Readonly<{ id: number; login: string }>[];
    emails: readonly AlertEmail[];
    /** Webhooks that have anything of their own. */
    webhooks: readonly (ThresholdOverrides & Readonly<{ id: number }>)[];
  }>;

export const alertLimits = {
  /** Below 120 hours, when a webhook is switched off. */
  failingMinutes: { least: 5, most: 119 * 60 },
  pastDueMinutes: { least: 1, most: 24 * 60 },
  repeatHours: { least: 1, most: 7 * 24 },
  users: 50,
  emails: 10,
  /** Mails of one enterprise to addresses that never asked for anything. */
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

/** The schema bounds the numbers; 0, which stands apart, leaves a gap that is refused here. */
function checkNumber(name: Bounded, value: number | null | undefined): void {
  const { least, most } = alertLimits[name];
  if (value !== null && value !== undefined && value !== 0 && (value < least || value > most)) {
    const detail = `${fieldOf[name]} is 0 (never), or from ${least} to ${most}.`;
    throw invalidParameter(fieldOf[name], "range", detail);
  }
}

/** As they are stored, each once whatever its case. */
export function parseEmails(texts: readonly string[]): string[] {
  const emails = new Map<string, string>();
  for (const [index, text] of texts.entries()) {
    const email = parseEmail(text);
    if (email === undefined) {
      throw invalidParameter(`emails[${index}]`, "format", "The e-mail address is invalid.");
    }
    if (!emails.has(email.toLowerCase())) {
      emails.set(email.toLowerCase(), email);
    }
  }
  return [...emails.values()];
}

/** `sentToday` mails have asked for a confirmation already. */
export function checkConfirmations(sentToday: number, wanted: number): void {
  if (sentToday + wanted > alertLimits.confirmationsPerDay) {
    const most = alertLimits.confirmationsPerDay;
    throw problem(
      "quota_reached",
      `At most ${most} addresses per day can be asked for confirmation.`,
      {
        details: "Quota confirmations",
      },
    );
  }
}
