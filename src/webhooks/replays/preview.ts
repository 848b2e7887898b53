/** What a replay would make, without making anything. */
import type { Queryable } from "../../platform/db/pool.ts";
import type { Found, Scope } from "./chunk.ts";
import { readChunk, startOf } from "./walk.ts";

export type Preview = {
  /** Deliveries that would be made. */
  count: number;
  /** What matches too, but has nothing left to send. */
  skipped: number;
  /** False where the time was over before the walk was. */
  isExact: boolean;
  /** Times of events. */
  oldest: Date | null;
  newest: Date | null;
  /** `webhook-id` of the first ones. */
  examples: string[];
};

/** How long a request may take to count. */
export const previewMs = 5_000;

const mostLooked = 5_000;

const nothing: Preview = {
  count: 0,
  skipped: 0,
  isExact: true,
  oldest: null,
  newest: null,
  examples: [],
};

/** Walks until the end or until `budgetMs` are over, in bounded reads. */
export async function previewReplay(
  db: Queryable,
  scope: Scope,
  budgetMs: number,
): Promise<Preview> {
  const endsAt = performance.now() + budgetMs;
  let preview = nothing;
  let place = startOf(scope);
  while (place.phase !== "end" && performance.now() < endsAt) {
    const chunk = await readChunk(db, scope, place, { looked: mostLooked, taken: mostLooked });
    preview = add(preview, chunk.found);
    place = chunk.next;
  }
  return { ...preview, isExact: place.phase === "end" };
}

const mostExamples = 5;

/** Pure. */
function add(seen: Preview, found: readonly Found[]): Preview {
  const kept = found.filter(({ isKept }) => isKept);
  const times = kept.map(({ eventAt }) => eventAt.getTime());
  const known = [seen.oldest, seen.newest].filter((time) => time !== null);
  const all = [...times, ...known.map((time) => time.getTime())];
  const ids = kept.slice(0, mostExamples).flatMap(({ messageId }) => messageId ?? []);
  const reduce = (pick: (a: number, b: number) => number): Date | null =>
    all.length === 0 ? null : new Date(all.reduce((a, b) => pick(a, b)));
  return {
    ...seen,
    count: seen.count + kept.length,
    skipped: seen.skipped + found.length - kept.length,
    oldest: reduce(Math.min),
    newest: reduce(Math.max),
    examples: [...seen.examples, ...ids].slice(0, mostExamples),
  };
}
