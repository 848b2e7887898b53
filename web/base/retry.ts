/** Which faults pass by themselves, and how a question that met one is asked again. */
import { backoffMs } from "./backoff.ts";
import { asProblem } from "./problem.ts";

/**
 * A question that found no platform at all is not repeated by itself: one probe for all watches out
 * for it (`connection.ts`), and then asks whatever is shown again.
 */
export const retryTransient = {
  retry: (failures: number, thrown: unknown): boolean => failures < 2 && isTransient(thrown),
  /** In milliseconds. */
  retryDelay: (failures: number, thrown: unknown): number =>
    Math.max(backoffMs(failures + 1), (asProblem(thrown).retryAfter ?? 0) * 1_000),
} as const;

/**
 * For questions of which an enterprise may ask a few at a time: another one gets its turn in a
 * moment, and nobody has to know that it waited.
 */
export const retryBusy = {
  retry: (failures: number, thrown: unknown): boolean =>
    isBusy(thrown) ? failures < 4 : retryTransient.retry(failures, thrown),
  /** In milliseconds; all four together are longer than what the platform asks to wait. */
  retryDelay: (failures: number): number => 800 * (failures + 1),
} as const;

/** A part of the platform has no answer just now. A refusal stays one. */
function isTransient(thrown: unknown): boolean {
  return [502, 503, 504].includes(asProblem(thrown).status);
}

function isBusy(thrown: unknown): boolean {
  return asProblem(thrown).status === 429;
}
