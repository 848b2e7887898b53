/** What the audit log keeps of changes of webhooks. */
import type { AuditChanges } from "../contracts/audit.ts";
import { maskedValue } from "../contracts/request-headers.ts";
import { settings, type SubscriptionSettings } from "./settings/table.ts";

/** Creating a webhook also creates its secret, which is never shown. */
export function creationOf(created: SubscriptionSettings): AuditChanges {
  return { ...changesOf(undefined, created), secret: { to: maskedValue } };
}

/** The settings that differ, without their secrets. Pure. */
export function changesOf(
  before: SubscriptionSettings | undefined,
  after: SubscriptionSettings,
): AuditChanges {
  return Object.fromEntries(
    settings
      .filter(({ property }) => !isSame(before?.[property], after[property]))
      .map((row) => {
        const shown = (from: SubscriptionSettings): unknown => auditedValue(row, from);
        const to = shown(after);
        return [row.name, before === undefined ? { to } : { from: shown(before), to }];
      }),
  );
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function auditedValue(row: (typeof settings)[number], of: SubscriptionSettings): unknown {
  const value = of[row.property];
  const show = row.audit ?? row.present;
  return show ? show(value) : value;
}
