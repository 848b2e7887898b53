import { asProblem } from "../base/problem.ts";

/** By field, what the API said about it, in the words that `say` has for the reason. */
export function fieldFaults(
  thrown: unknown,
  say: (reason: string, field: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    asProblem(thrown).errors.map(({ field, reason }) => [field, say(reason, field)]),
  );
}
