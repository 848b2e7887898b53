import type { SizePhase, SizeRound } from "../scenarios/history-size.ts";
import { median } from "../support/statistics.ts";

/** A figure of each round, divided by the same one on the empty ledger; ascending. */
export function ratiosToEmpty(
  rounds: readonly SizeRound[],
  read: (one: SizePhase) => number,
): number[] {
  return rounds.map(({ empty, filled }) => read(filled) / read(empty)).toSorted((a, b) => a - b);
}

/** The median of `ratiosToEmpty`. */
export function ratioToEmpty(
  rounds: readonly SizeRound[],
  read: (one: SizePhase) => number,
): number {
  return median(ratiosToEmpty(rounds, read));
}
