/** What a chart shows: from when to when, and in which steps. Pure. */
import { invalidParameter } from "../../contracts/problems.ts";
import { parseBound } from "../../http/values.ts";

/** Both are multiples of the step; `until` is not part of it. */
export type Period = { since: Date; until: Date; stepSeconds: number };

const hour = 3_600;

const day = 24 * hour;

const longestDays = 400;

/** Without bounds: the last hour. */
export function parseSeriesPeriod(
  given: Readonly<{ since?: string; until?: string }>,
  now: Date,
): Period {
  const until = parseBound("until", given.until) ?? now;
  const since = parseBound("since", given.since) ?? new Date(until.getTime() - hour * 1_000);
  const [from, to] = [since.getTime() / 1_000, until.getTime() / 1_000];
  if (to <= from) {
    throw invalidParameter("until", "range", "The period must not end before it begins.");
  }
  if (to - from > longestDays * day) {
    throw invalidParameter("since", "range", `A period has at most ${longestDays} days.`);
  }
  const step = stepOf(from, to, now.getTime() / 1_000);
  return {
    since: new Date(Math.floor(from / step) * step * 1_000),
    until: new Date(Math.ceil(to / step) * step * 1_000),
    stepSeconds: step,
  };
}

/** Steps, the longest time that is shown in them, and for how long their sums are kept. */
const steps: readonly { step: number; longest: number; kept: number }[] = [
  { step: 10, longest: hour, kept: 6 * hour },
  { step: 60, longest: 12 * hour, kept: 3 * day },
  { step: 600, longest: 5 * day, kept: 31 * day },
  { step: hour, longest: 30 * day, kept: longestDays * day },
  { step: day, longest: longestDays * day, kept: longestDays * day },
];

/** The finest step that gives a bounded number of points and is still kept. */
function stepOf(since: number, until: number, now: number): number {
  return (
    steps.find(({ longest, kept }) => until - since <= longest && now - since <= kept) ?? {
      step: day,
    }
  ).step;
}
