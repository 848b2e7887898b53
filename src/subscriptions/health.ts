/** How a receiver does, at a glance. Pure. */
import { toTimestampOrNull } from "../platform/timestamps.ts";
import type { BacklogCounts } from "../pipeline/ledger/queries/backlog-counts.ts";
import type { ReceiverHealth, SubscriptionSnapshot, SubscriptionSettings } from "./model.ts";

export const healthStates = ["ok", "failing", "throttled", "open", "off", "pull"] as const;

export type HealthState = (typeof healthStates)[number];

type HealthInputs = Pick<SubscriptionSettings, "mode" | "isActive" | "maxInFlight"> &
  Pick<SubscriptionSnapshot, "failingSince" | "health" | "asOf">;

/** Counts of what lives, beside how the receiver does. */
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

export function presentHealth(subscription: HealthInputs) {
  const { health, asOf } = subscription;
  const state = stateOf(subscription);
  return {
    state,
    window: windowOf(state, subscription),
    failures_in_row: health.failuresInRow,
    last_code: health.lastFailure.status,
    last_error: health.lastFailure.failure,
    throttled_until: isThrottled(health, asOf) ? toTimestampOrNull(health.throttledUntil) : null,
    next_probe: state === "open" ? toTimestampOrNull(health.probeAt) : null,
    warned: toTimestampOrNull(health.warnedAt),
    pulled_to: subscription.mode === "pull" ? health.pulledTo : null,
    pulled_at: toTimestampOrNull(health.pulledAt),
  };
}

/** The first of them that holds, from what stops everything to what stops nothing. */
function stateOf({ mode, isActive, failingSince, health, asOf }: HealthInputs): HealthState {
  const holds: readonly [HealthState, boolean][] = [
    ["off", !isActive],
    ["pull", mode === "pull"],
    ["throttled", isThrottled(health, asOf)],
    ["open", health.probeAt !== null],
    ["failing", failingSince !== null],
  ];
  return holds.find(([, isSo]) => isSo)?.[0] ?? "ok";
}

function isThrottled({ throttledUntil }: ReceiverHealth, now: Date): boolean {
  return throttledUntil !== null && throttledUntil > now;
}

/** Requests that may be in flight now: a window that stops them is 0, whatever size it had. */
function windowOf(state: HealthState, { health, maxInFlight }: HealthInputs): number {
  const isShut = state === "off" || state === "pull" || state === "open" || state === "throttled";
  const size = Math.floor(health.windowSize);
  return isShut ? 0 : Math.min(size, maxInFlight ?? size);
}
