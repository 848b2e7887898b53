import { parseBound } from "../../http/values.ts";
import { invalidParameter } from "../../contracts/problems.ts";

export type Period = Readonly<{ since: Date; until: Date }>;

const dayMs = 86_400_000;

const maxDays = 31;

/** The period that is asked for; its end is not part of it. At most 31 days. */
export function parsePeriod(given: { since?: string; until?: string }, now: Date): Period {
  const period = resolve(parseBound("since", given.since), parseBound("until", given.until), now);
  const lengthMs = period.until.getTime() - period.since.getTime();
  if (lengthMs <= 0) {
    throw invalidParameter("until", "range", "The end of the period must be after its start.");
  }
  if (lengthMs > maxDays * dayMs) {
    throw invalidParameter("until", "range", `The period may have ${maxDays} days at most.`);
  }
  return period;
}

/** Today in UTC where nothing is given; a day before or after the bound that is. */
function resolve(since: Date | undefined, until: Date | undefined, now: Date): Period {
  if (since !== undefined) {
    return { since, until: until ?? new Date(since.getTime() + dayMs) };
  }
  const start = until === undefined ? midnight(now) : until.getTime() - dayMs;
  return { since: new Date(start), until: until ?? new Date(start + dayMs) };
}

function midnight(date: Date): number {
  return Math.floor(date.getTime() / dayMs) * dayMs;
}
