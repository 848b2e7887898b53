/** The phases of an attempt. Pure. */

export const phaseNames = ["token", "dns", "connect", "tls", "firstByte", "rest"] as const;
export type PhaseName = (typeof phaseNames)[number];

export type Phase = Readonly<{ name: PhaseName; ms: number }>;

/**
 * The phases in order, plus the rest of the total: sending the request and reading the response.
 * Empty if only the total is known.
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

/** Whether the request reused a keep-alive connection. */
export function isReused(phases: Readonly<Record<string, number>> | null): boolean {
  return phases !== null && phases["connect"] === undefined && phases["firstByte"] !== undefined;
}
