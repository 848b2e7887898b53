/** The health of a receiver, as the API shows it. Pure. */
import { toTimestampOrNull } from "../platform/timestamps.ts";
import type { BacklogCounts } from "../pipeline/ledger/queries/backlog-counts.ts";
import { receiverHealthOf, type HealthInputs } from "../contracts/receiver-health.ts";
import type { SubscriptionSnapshot } from "./model.ts";

type PresentedSubscription = HealthInputs & Pick<SubscriptionSnapshot, "health">;

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
