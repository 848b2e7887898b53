/** Which errors are transient, and how queries retry them. */
import { backoffMs } from "./backoff.ts";
import { asProblem } from "./problem.ts";

/**
 * Network errors are not retried here: `connection.ts` probes for all queries and then refetches
 * the active ones.
 */
export const retryTransient = {
  retry: (failures: number, thrown: unknown): boolean => failures < 2 && isTransient(thrown),
  /** In milliseconds. */
  retryDelay: (failures: number, thrown: unknown): number =>
    Math.max(backoffMs(failures + 1), (asProblem(thrown).retryAfter ?? 0) * 1_000),
} as const;

/**
 * For queries with a concurrency limit per enterprise: a rejected query soon gets a slot, so the
 * user sees no error.
 */
export const retryBusy = {
  retry: (failures: number, thrown: unknown): boolean =>
    isBusy(thrown) ? failures < 4 : retryTransient.retry(failures, thrown),
  /** In milliseconds; the four delays together exceed the API's `Retry-After`. */
  retryDelay: (failures: number): number => 800 * (failures + 1),
} as const;

/** A temporary server error, not a rejection. */
function isTransient(thrown: unknown): boolean {
  return [502, 503, 504].includes(asProblem(thrown).status);
}

function isBusy(thrown: unknown): boolean {
  return asProblem(thrown).status === 429;
}
