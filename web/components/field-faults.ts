import { asProblem } from "../base/problem.ts";

/** Validation errors of the API by field, translated by `say`. */
export function fieldFaults(
  thrown: unknown,
  say: (reason: string, field: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    asProblem(thrown).errors.map(({ field, reason }) => [field, say(reason, field)]),
  );
}
