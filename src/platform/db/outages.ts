/**
 * Workers cannot renew leases or store results while Postgres is away. So after an outage, expired
 * leases prove nothing until the workers have had time to do that.
 */
import type { Clock } from "../clock.ts";

/** How long workers get after an outage. */
const settlingTimeMs = 5_000;

/**
 * A Postgres that answers this late has delayed the claims and results of workers as well. Less than
 * the time from the last claim of a reserved delivery (1.5 s) to its sweep (5 s).
 */
const slowAnswerMs = 2_000;

export type OutageWatch = {
  /** Runs a query. If it fails or is answered late, Postgres was away. */
  observe<T>(query: () => Promise<T>): Promise<T>;
  /** Whether workers have had time to store what they could not store. */
  isSettled(): boolean;
};

/** Nothing is settled before the first answer. */
export function createOutageWatch(clock: Clock): OutageWatch {
  let reachableSince: number | undefined;
  return {
    observe: async (query) => {
      const askedAt = clock.now().getTime();
      try {
        const result = await query();
        const answeredAt = clock.now().getTime();
        const isLate = answeredAt - askedAt > slowAnswerMs;
        reachableSince = isLate ? answeredAt : (reachableSince ?? answeredAt);
        return result;
      } catch (thrown) {
        reachableSince = undefined;
        throw thrown;
      }
    },
    isSettled: () =>
      reachableSince !== undefined && clock.now().getTime() - reachableSince >= settlingTimeMs,
  };
}
