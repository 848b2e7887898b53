import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import { presentHealth } from "./health.ts";
import type { SubscriptionSnapshot } from "./model.ts";
import { settings, type SubscriptionSettings } from "./settings/table.ts";
import { validAt } from "./signing-keys.ts";

/** Shows the secret only at creation and rotation, and never other stored secrets. */
export function presentSubscription(subscription: SubscriptionSnapshot, secret?: string) {
  return {
    id: subscription.id,
    ...presentSettings(subscription),
    ...(secret === undefined ? {} : { secret }),
    ...presentSigning(subscription),
    created: toTimestamp(subscription.created),
    modified: toTimestamp(subscription.modified),
    disabled_reason: subscription.disabledReason,
    last_success: toTimestampOrNull(subscription.lastSuccess),
    last_failure: toTimestampOrNull(subscription.lastFailure),
    failing_since: toTimestampOrNull(subscription.failingSince),
    health: presentHealth(subscription),
  };
}

function presentSettings(subscription: SubscriptionSettings): Record<string, unknown> {
  return Object.fromEntries(
    settings.map((row) => {
      const value = subscription[row.property];
      return [row.name, row.present ? row.present(value) : value];
    }),
  );
}

/** The valid secrets without their values, and the valid public keys. */
function presentSigning({ signatures, secrets, keys, asOf }: SubscriptionSnapshot) {
  return {
    secrets: validAt(secrets, asOf).map(({ until }) => ({ until: untilOf(until) })),
    publicKeys: signatures.includes("v1a")
      ? validAt(keys, asOf).map(({ publicKey, until }) => ({
          key: publicKey,
          until: untilOf(until),
        }))
      : [],
  };
}

function untilOf(until: string | null): string | null {
  return until === null ? null : toTimestamp(new Date(until));
}
