/** Retries requests without a response. Pure except for the clock, which tests replace. */
import { backoffMs } from "../base/backoff.ts";
import { wait } from "../shared/wait.ts";

export type Clock = Readonly<{
  nowMs(): number;
  wait(waitMs: number): Promise<void>;
}>;

export const realClock: Clock = {
  nowMs: () => performance.now(),
  wait,
};

export type RepeatOptions = Readonly<{
  /** From the first attempt; after it no other begins. */
  limitMs: number;
  firstMs?: number;
  maxMs?: number;
  isWanted?: () => boolean;
  clock?: Clock;
}>;

/** Attempts with exponential backoff until one is final, or the time is up. Out: the last result. */
export async function repeat<Result>(
  attempt: () => Promise<Result>,
  isTemporary: (result: Result) => boolean,
  options: RepeatOptions,
): Promise<Result> {
  const { limitMs, firstMs = 300, maxMs = 4_000, isWanted = () => true } = options;
  const clock = options.clock ?? realClock;
  const endMs = clock.nowMs() + limitMs;
  let result = await attempt();
  for (let failures = 1; isTemporary(result) && isWanted(); failures += 1) {
    const waitMs = backoffMs(failures, { firstMs, maxMs });
    if (clock.nowMs() + waitMs >= endMs) {
      break;
    }
    await clock.wait(waitMs);
    if (!isWanted()) {
      break;
    }
    result = await attempt();
  }
  return result;
}
