/** The last minutes, as they were summed up, in pieces without a hole between. Pure. */
import { emptyTally } from "../../pipeline/ledger/attempt-feed.ts";
import type { Past } from "./store.ts";
import type { Bucket } from "./view.ts";

const stepMs = 10_000;

/**
 * A piece for each ten seconds, also for those in which nothing happened: a chart that is told of
 * none cannot know that it was none. The last one ends where the sums end.
 */
export function pastBuckets({ rows, until }: Past, since: Date): Bucket[] {
  const tallies = new Map(rows.map(({ at, ...tally }) => [at.getTime(), tally]));
  const first = Math.ceil(since.getTime() / stepMs) * stepMs;
  const count = Math.max(0, Math.ceil((until.getTime() - first) / stepMs));
  return Array.from({ length: count }, (_, index) => {
    const begin = first + index * stepMs;
    const end = Math.min(begin + stepMs, until.getTime());
    return {
      at: new Date(end),
      seconds: (end - begin) / 1_000,
      tally: tallies.get(begin) ?? emptyTally(),
    };
  });
}
