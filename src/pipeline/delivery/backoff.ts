const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Wait before attempt 1, 2, 3 … Ten tries in about three days. */
const scheduleMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

export const maxAttempts = scheduleMs.length;

/** No wait is longer, whatever a receiver asks for. */
export const longestDelayMs = 24 * hour;

/** Spreads what failed together, so that it does not come back together. */
const jitter = 0.1;

/**
 * Wait before an attempt (the first is 1), ±10 %; `random` gives [0, 1). Attempts beyond the
 * schedule wait as long as its last one.
 */
export const delayBeforeAttemptMs = (attemptNumber: number, random: () => number): number => {
  const index = Math.min(Math.max(attemptNumber, 1), maxAttempts) - 1;
  const baseMs = scheduleMs[index] ?? longestDelayMs;
  return Math.round(baseMs * (1 - jitter + 2 * jitter * random()));
};
