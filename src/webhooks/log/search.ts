/**
 * Looks through the log, newest first, and stops after a bounded number of rows, whatever is asked
 * for: what was not reached then is reached with the cursor.
 */
import type { Queryable } from "../../platform/db/pool.ts";
import { findFew, type Few } from "./few-store.ts";
import { conditionOf, needsEvent, wayOf, type DeliveryFilter, type Streams } from "./filter.ts";
import { merge, type Merged } from "./merge.ts";
import { countStreams, findRanges, readStreams, type Stream } from "./stream-store.ts";

/** Whose log, which part of it, and whether somebody waits for the exact number. */
export type Search = Readonly<{
  enterpriseId: number;
  /** Of this enterprise, all of them: nothing is looked for elsewhere. */
  subscriptionIds: readonly number[];
  filter: DeliveryFilter;
}>;

export type Wanted = Readonly<{
  /** Only ids below this one. */
  before: number | undefined;
  /** So many matching ids end the search. */
  count: number;
  /** So many rows that were looked at end it as well. */
  budget: number;
}>;

/** Where the matches of a search are. */
type Sources = { few: Few; streams: Stream[]; kind: Streams["kind"] };

/** The ids of matching deliveries, newest first. */
export async function findMatches(
  db: Queryable,
  search: Search,
  { before, count, budget }: Wanted,
): Promise<Merged> {
  const { few, streams, kind } = await openSources(db, search, before);
  const reading = {
    kind,
    condition: conditionOf(search.filter, before),
    needsEvent: needsEvent(search.filter),
  };
  return merge(few, streams, {
    read: (some, size) => readStreams(db, reading, some, size),
    ...{ count, budget },
  });
}

/** Of each subscription, its newest: more are not counted. */
const mostCounted = 100_000;

/** The same where each has to be looked up in another table. */
const mostCountedByEvent = 5_000;

/**
 * How many match: at most 100,000. Not exact where there are more, or where there was more to look
 * at than a request may take.
 */
export async function countMatches(
  db: Queryable,
  search: Search,
): Promise<{ total: number; isExact: boolean }> {
  const { few, streams, kind } = await openSources(db, search, undefined);
  const isJoined = needsEvent(search.filter);
  const reading = {
    kind,
    condition: conditionOf(search.filter, undefined),
    needsEvent: isJoined,
  };
  const size = isJoined ? mostCountedByEvent : mostCounted;
  const { count, isExact } =
    streams.length === 0
      ? { count: 0, isExact: true }
      : await countStreams(db, reading, streams, size + 1);
  const total = count + few.found.length;
  return { total: Math.min(total, mostCounted), isExact: isExact && total <= mostCounted };
}

const noFew: Few = { examined: 0, found: [] };

async function openSources(
  db: Queryable,
  search: Search,
  before: number | undefined,
): Promise<Sources> {
  const { filter } = search;
  const way = wayOf(filter);
  const few =
    way.few &&
    (await findFew(db, way.few, {
      ...search,
      condition: conditionOf(filter, before),
      needsEvent: needsEvent(filter),
    }));
  const streams = few === undefined ? way.otherwise : way.beside;
  if (streams === undefined) {
    return { few: few ?? noFew, streams: [], kind: "all" };
  }
  return { few: few ?? noFew, ...(await openStreams(db, search, streams, before)) };
}

async function openStreams(
  db: Queryable,
  { subscriptionIds, filter }: Search,
  { kind, values }: Streams,
  before: number | undefined,
): Promise<Pick<Sources, "streams" | "kind">> {
  const { since, until } = filter;
  const ranges = await findRanges(db, subscriptionIds, { since, until, before });
  return { kind, streams: ranges.flatMap((range) => values.map((value) => ({ ...range, value }))) };
}
