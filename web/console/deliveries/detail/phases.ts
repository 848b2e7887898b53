/** Where the time of an attempt went. Pure. */

export const phaseNames = ["token", "dns", "connect", "tls", "firstByte", "rest"] as const;
export type PhaseName = (typeof phaseNames)[number];

export type Phase = Readonly<{ name: PhaseName; ms: number }>;

/**
 * Phases in their order, with what of the total none of them accounts for: sending the request and
 * reading the answer. Empty where only the total is known.
 */
export function phasesOf(phases: Readonly<Record<string, number>> | null): Phase[] {
  const known = phaseNames.flatMap((name) => {
    const ms = phases?.[name];
    return ms === undefined || name === "rest" ? [] : [{ name, ms }];
  });
  if (known.length === 0) {
    return [];
  }
  const sum = known.reduce((all, { ms }) => all + ms, 0);
  const rest = (phases?.["total"] ?? sum) - sum;
  return rest >= 0.5 ? [...known, { name: "rest", ms: rest }] : known;
}

/** Whether the request went over a connection that an earlier one had opened. */
export function isReused(phases: Readonly<Record<string, number>> | null): boolean {
  return phases !== null && phases["connect"] === undefined && phases["firstByte"] !== undefined;
}
