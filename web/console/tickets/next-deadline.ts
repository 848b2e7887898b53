/** What time does next with a ticket, and whether that is soon. Pure. */
export type NextDeadline = Readonly<{ what: "starts" | "expires" | "closes"; at: string }>;

const nearMs = 3 * 86_400_000;

/** A line on every row that says "in 30 days" hides the one that matters. */
export function isSoon({ what, at }: NextDeadline, now: number): boolean {
  return what === "starts" || Date.parse(at) - now <= nearMs;
}
