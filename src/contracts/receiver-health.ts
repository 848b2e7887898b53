/** The health of a subscription's receiver, derived from what its deliveries observed. Pure. */
import type { SubscriptionMode } from "./subscriptions.ts";

export const healthStates = ["ok", "failing", "throttled", "open", "off", "pull"] as const;

export type HealthState = (typeof healthStates)[number];

/** What a state is derived from, at the time `asOf`. */
export type HealthInputs = Readonly<{
  mode: SubscriptionMode;
  isActive: boolean;
  maxInFlight: number | null;
  failingSince: Date | null;
  asOf: Date;
  health: Readonly<{ windowSize: number; throttledUntil: Date | null; probeAt: Date | null }>;
}>;

export type DerivedHealth = {
  state: HealthState;
  /** Requests that may be in flight now. */
  window: number;
  /** Null unless it is in the future. */
  throttledUntil: Date | null;
  /** Null unless the circuit is open. */
  nextProbe: Date | null;
};

export function receiverHealthOf(inputs: HealthInputs): DerivedHealth {
  const { health, asOf } = inputs;
  const state = stateOf(inputs);
  return {
    state,
    window: windowOf(state, inputs),
    throttledUntil: isThrottled(health, asOf) ? health.throttledUntil : null,
    nextProbe: state === "open" ? health.probeAt : null,
  };
}

/** The first state that applies, ordered by how much it stops. */
function stateOf({ mode, isActive, failingSince, health, asOf }: HealthInputs): HealthState {
  const states: readonly [HealthState, boolean][] = [
    ["off", !isActive],
    ["pull", mode === "pull"],
    ["throttled", isThrottled(health, asOf)],
    ["open", health.probeAt !== null],
    ["failing", failingSince !== null],
  ];
  return states.find(([, applies]) => applies)?.[0] ?? "ok";
}

function isThrottled({ throttledUntil }: HealthInputs["health"], now: Date): boolean {
  return throttledUntil !== null && throttledUntil > now;
}

/** 0 in a state that stops requests, whatever size the window had. */
function windowOf(state: HealthState, { health, maxInFlight }: HealthInputs): number {
  const isClosed = state === "off" || state === "pull" || state === "open" || state === "throttled";
  const size = Math.floor(health.windowSize);
  return isClosed ? 0 : Math.min(size, maxInFlight ?? size);
}
