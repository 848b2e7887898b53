const second = 1_000;

const minute = 60;

const hour = 60 * minute;

/** Seconds before the second attempt, the third … */
export type RetrySchedule = readonly number[];

/** Ten tries in about three days. */
export const standardSchedule: RetrySchedule = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

export const maxAttempts = attemptsOf(standardSchedule);

/** No wait of ours is longer, and none that a receiver asks for; a subscription's own may be. */
export const longestDelayMs = 24 * hour * second;

export function attemptsOf(schedule: RetrySchedule): number {
  return schedule.length + 1;
}

/** Spreads what failed together, so that it does not come back together. */
const jitter = 0.1;

/** Where a schedule has no wait at all, and yet one is needed: for a switch-off at a 410. */
const fallbackSeconds = 5;

/**
 * Wait before an attempt (the first is 1), ±10 %; `random` gives [0, 1). Attempts beyond the
 * schedule wait as long as its last one.
 */
export function delayBeforeAttemptMs(
  attemptNumber: number,
  random: () => number,
  schedule: RetrySchedule = standardSchedule,
): number {
  if (attemptNumber <= 1) {
    return 0;
  }
  const index = Math.min(attemptNumber - 2, schedule.length - 1);
  const baseMs = (schedule[index] ?? fallbackSeconds) * second;
  const delayMs = Math.round(baseMs * (1 - jitter + 2 * jitter * random()));
  return schedule === standardSchedule ? Math.min(delayMs, longestDelayMs) : delayMs;
}
