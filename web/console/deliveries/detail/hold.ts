/** What keeps a due delivery from being sent. Pure. */
import type { components } from "../../../base/api-types.ts";

type Health = components["schemas"]["WebhookHealth"];

export type Hold = Readonly<{ verdict: "throttled" | "circuit_open"; until: Date }>;

/**
 * The receiver's pause or the open circuit, as the explanation has it; undefined if it ends before
 * the delivery is due.
 */
export function holdOf(
  { state, throttled_until: pause, next_probe: probe }: Health,
  nextTry: string,
  isDue: boolean,
): Hold | undefined {
  const due = new Date(nextTry);
  if (state === "throttled") {
    const until = new Date(pause ?? nextTry);
    return until > due ? { verdict: "throttled", until } : undefined;
  }
  if (state === "open") {
    const until = new Date(probe ?? nextTry);
    // Once it is due, it still waits for a probe to succeed.
    return until > due || isDue ? { verdict: "circuit_open", until } : undefined;
  }
  return undefined;
}
