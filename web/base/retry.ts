/** Which faults pass by themselves, and how a question that met one is asked again. */
import { asProblem } from "./problem.ts";

/** The platform could not be reached, or has no answer just now. A refusal stays one. */
export const mayPass = (thrown: unknown): boolean =>
  [0, 502, 503].includes(asProblem(thrown).status);

const isBusy = (thrown: unknown): boolean => asProblem(thrown).status === 429;

/**
 * For questions of which an enterprise may ask a few at a time: another one gets its turn in a
 * moment, and nobody has to know that it waited.
 */
export const inTurn = {
  retry: (failures: number, thrown: unknown): boolean =>
    isBusy(thrown) ? failures < 4 : failures < 2 && mayPass(thrown),
  /** In milliseconds; all four together are longer than what the platform asks to wait. */
  retryDelay: (failures: number): number => 800 * (failures + 1),
} as const;
