import type { Clock } from "../../platform/clock.ts";

export type Budget = {
  /** Whether the pass has to end: its time is over, or the process stops. */
  isSpent(): boolean;
};

/** How long a pass that works in batches goes on. The next one takes up what it left. */
const passMs = 20_000;

/** The time of one pass, from now on. */
export function startBudget(clock: Clock, signal?: AbortSignal): Budget {
  const endsAt = clock.now().getTime() + passMs;
  return { isSpent: () => signal?.aborted === true || clock.now().getTime() >= endsAt };
}
