import type { Comparison, SizePhase } from "../scenarios/history-size.ts";

/** A figure, divided by the same one on the empty ledger. */
export function ratioToEmpty(
  { empty, filled }: Comparison,
  read: (one: SizePhase) => number,
): number {
  return read(filled) / read(empty);
}
