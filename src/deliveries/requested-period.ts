import { invalidParameter } from "../contracts/problems.ts";

/** A period as a caller asks for it: by default it ends now and has the length of the operation. */
export type RequestedPeriod = { since: Date | undefined; until: Date | undefined };

/** The period without its future, and with its defaults. Throws if it ends before it starts. */
export function resolvePeriod(
  asked: RequestedPeriod,
  { now, defaultMs }: { now: Date; defaultMs: number },
): { since: Date; until: Date } {
  const until = asked.until === undefined || asked.until > now ? now : asked.until;
  const since = asked.since ?? new Date(until.getTime() - defaultMs);
  if (since >= until) {
    throw invalidParameter("until", "range", "until must be after since.");
  }
  return { since, until };
}
