/** The next deadline of a ticket. Pure. */
export type NextDeadline = Readonly<{ what: "starts" | "expires" | "closes"; at: string }>;

const nearMs = 3 * 86_400_000;

/** Only near deadlines are shown, because "in 30 days" on every row would hide them. */
export function isSoon({ what, at }: NextDeadline, now: number): boolean {
  return what === "starts" || Date.parse(at) - now <= nearMs;
}
