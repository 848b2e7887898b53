import { toTimestamp, toTimestampOrNull } from "../platform/timestamps.ts";
import type { SubscriptionSnapshot } from "./model.ts";
import { settings, type SubscriptionSettings } from "./settings/table.ts";
import { validAt } from "./signing-keys.ts";
import type { BacklogCounts } from "../pipeline/ledger/queries/backlog-counts.ts";
import { receiverHealthOf, type HealthInputs } from "../contracts/receiver-health.ts";

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

/** The receiver's health with the counts of its live deliveries. */
export function presentHealthDetails(subscription: SubscriptionSnapshot, standing: BacklogCounts) {
  return {
    ...presentHealth(subscription),
    maxInFlight: subscription.maxInFlight,
    maxPerSecond: subscription.maxPerSecond,
    in_flight: standing.inFlight,
    due: standing.due,
    oldest_due: toTimestampOrNull(standing.oldestDue),
    planned: standing.planned,
    waiting: standing.waiting,
    paused: standing.paused,
    to_pull:
      subscription.mode === "pull"
        ? Math.max(0, subscription.health.lastSequence - subscription.health.pulledTo)
        : null,
  };
}

/** The health of a receiver, as the API shows it. Pure. */
type PresentedSubscription = HealthInputs & Pick<SubscriptionSnapshot, "health">;

export function presentHealth(subscription: PresentedSubscription) {
  const { health } = subscription;
  const { state, window, throttledUntil, nextProbe } = receiverHealthOf(subscription);
  return {
    state,
    window,
    failures_in_row: health.failuresInRow,
    last_code: health.lastFailure.status,
    last_error: health.lastFailure.failure,
    throttled_until: toTimestampOrNull(throttledUntil),
    next_probe: toTimestampOrNull(nextProbe),
    warned: toTimestampOrNull(health.warnedAt),
    pulled_to: subscription.mode === "pull" ? health.pulledTo : null,
    pulled_at: toTimestampOrNull(health.pulledAt),
  };
}
