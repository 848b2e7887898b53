import type { HistorySizeResult, SizePhase } from "../scenarios/history-size.ts";

/** A figure of a phase, divided by its mean on the empty ledger just before and just after. */
export function ratioToEmpty(
  { empty, ...phases }: HistorySizeResult,
  phase: "behind" | "waiting",
  read: (one: SizePhase) => number,
): number {
  const [first, second, third] = empty;
  const [before, after] = phase === "behind" ? [first, second] : [second, third];
  return (2 * read(phases[phase])) / (read(before) + read(after));
}
