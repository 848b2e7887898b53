import { invalidParameter } from "../../contracts/problems.ts";

export const maxRetries = 20;
export const maxRetrySeconds = 86_400;
const maxTotalSeconds = 7 * 86_400;

/** Throws the problem of a schedule that lasts longer than a webhook's backlog is kept. */
export function checkRetrySchedule(schedule: readonly number[] | null | undefined): void {
  const total = (schedule ?? []).reduce((sum, seconds) => sum + seconds, 0);
  if (total > maxTotalSeconds) {
    const detail = `The times of a retrySchedule are at most ${maxTotalSeconds} seconds in all, seven days.`;
    throw invalidParameter("retrySchedule", "length", detail);
  }
}
