/**
 * Searches the log, newest first, and stops after a bounded number of rows, whatever the filter: the
 * cursor goes on from there.
 */
import type { Queryable } from "../../platform/db/pool.ts";
import { findIndexed, type LookupResult } from "../../pipeline/ledger/queries/indexed-lookup.ts";
import {
  conditionOf,
  needsEvent,
  queryPlanOf,
  type DeliveryFilter,
  type StreamSelection,
} from "../../pipeline/ledger/queries/delivery-filter.ts";
import {
  countStreams,
  findRanges,
  readStreams,
  type DeliveryStream,
  type StreamChunk,
} from "../../pipeline/ledger/queries/delivery-streams.ts";
import { createHash } from "node:crypto";
import { invalidParameter } from "../../contracts/problems.ts";

/** Whose log, and which part of it. */
export type LogSearch = Readonly<{
  enterpriseId: number;
  /** All are of this enterprise, and nothing is searched elsewhere. */
  subscriptionIds: readonly number[];
  filter: DeliveryFilter;
}>;

export type SearchLimits = Readonly<{
  /** Only ids below this one. */
  before: number | undefined;
  /** So many matching ids end the search. */
  count: number;
  /** So many examined rows end it as well. */
  budget: number;
}>;

/** Where the matches of a search are. */
type Sources = { few: LookupResult; streams: DeliveryStream[]; kind: StreamSelection["kind"] };

/** What was found, newest first. All that matches and has an id from `horizon` on is in it. */
export type MergeResult = {
  ids: number[];
  horizon: number;
  /** Nothing is left below the horizon. */
  isExhausted: boolean;
  examined: number;
};

export type MergeOptions = {
  read: (streams: readonly DeliveryStream[], size: number) => Promise<StreamChunk[]>;
  /** How many matches, and how many examined rows, are enough. */
  count: number;
  budget: number;
};

/** A stream that is not at its end: `reach` is the lowest id that it has come to. */
type OpenStream = { stream: DeliveryStream; reach: number };

/**
 * Where a search goes on: below this id. It holds nothing that a client could not know, and no
 * more can be had with a changed one than the same search gives; it is bound to its search only so
 * that a page of one is never taken for the next page of another.
 */
const version = 1;

type Cursor = { v: number; b: number; f: string };

/** The ids of matching deliveries, newest first. */
export async function findMatches(
  db: Queryable,
  search: LogSearch,
  { before, count, budget }: SearchLimits,
): Promise<MergeResult> {
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

const firstRead = 1_000;

const growth = 4;

/**
 * Many streams, each in the order of its ids, as one. `known`: matches that are in none of them.
 * Streams are read in chunks that grow, so that few of many matches cost little, and rare ones few
 * round trips.
 */
export async function merge(
  known: { found: readonly number[]; examined: number },
  streams: readonly DeliveryStream[],
  { read, count, budget }: MergeOptions,
): Promise<MergeResult> {
  const found = [...known.found];
  let examined = 0;
  let open: OpenStream[] = streams.map((stream) => ({ stream, reach: Number.POSITIVE_INFINITY }));
  let size = Math.min(count + 1, Math.max(1, Math.floor(firstRead / Math.max(1, streams.length))));
  const matches = (horizon: number): number[] => found.filter((id) => id >= horizon);
  while (open.length > 0 && examined < budget && matches(horizonOf(open)).length < count) {
    const next = nextToRead(open);
    const left = Math.ceil((budget - examined) / next.length);
    const most = Math.max(1, Math.min(size, left));
    const chunks = await read(
      next.map(({ stream }) => stream),
      most,
    );
    const rest = open.filter((one) => !next.includes(one));
    const advanced = next.flatMap((one, index) => {
      const chunk = chunks[index];
      return chunk === undefined ? [] : advanceStream(one, chunk, most);
    });
    for (const chunk of chunks) {
      found.push(...chunk.found);
      examined += chunk.examined;
    }
    open = [...rest, ...advanced];
    size *= growth;
  }
  const horizon = horizonOf(open);
  return {
    ids: matches(horizon).toSorted(byId),
    horizon,
    isExhausted: open.length === 0,
    examined: known.examined + examined,
  };
}

/** Below this id nothing is known for sure: the stream that has come least far may have it. */
function horizonOf(open: readonly OpenStream[]): number {
  return open.reduce((highest, { reach }) => Math.max(highest, reach), 0);
}

/** Those that have come least far: at first all, then the half that holds the others up. */
function nextToRead(open: readonly OpenStream[]): OpenStream[] {
  const unread = open.filter(({ reach }) => reach === Number.POSITIVE_INFINITY);
  return unread.length > 0
    ? unread
    : open.toSorted((a, b) => b.reach - a.reach).slice(0, Math.ceil(open.length / 2));
}

function advanceStream(
  { stream }: OpenStream,
  { examined, lastSequence, lastId }: StreamChunk,
  size: number,
): OpenStream[] {
  return examined < size || lastSequence <= stream.from
    ? []
    : [{ stream: { ...stream, below: lastSequence }, reach: lastId }];
}

function byId(a: number, b: number): number {
  return b - a;
}

/** Of each subscription, its newest: more are not counted. */
const maxCounted = 100_000;

/** The same where each needs a lookup in another table. */
const maxCountedByEvent = 5_000;

/**
 * How many match: at most 100,000. Not exact where there are more, or where a request may not
 * examine that many rows.
 */
export async function countMatches(
  db: Queryable,
  search: LogSearch,
): Promise<{ total: number; isExact: boolean }> {
  const { few, streams, kind } = await openSources(db, search, undefined);
  const isJoined = needsEvent(search.filter);
  const reading = {
    kind,
    condition: conditionOf(search.filter, undefined),
    needsEvent: isJoined,
  };
  const size = isJoined ? maxCountedByEvent : maxCounted;
  const { count, isExact } =
    streams.length === 0
      ? { count: 0, isExact: true }
      : await countStreams(db, reading, streams, size + 1);
  const total = count + few.found.length;
  return { total: Math.min(total, maxCounted), isExact: isExact && total <= maxCounted };
}

const emptyLookup: LookupResult = { examined: 0, found: [] };

async function openSources(
  db: Queryable,
  search: LogSearch,
  before: number | undefined,
): Promise<Sources> {
  const { filter } = search;
  const way = queryPlanOf(filter);
  const few =
    way.lookup &&
    (await findIndexed(db, way.lookup, {
      ...search,
      condition: conditionOf(filter, before),
      needsEvent: needsEvent(filter),
    }));
  const streams = few === undefined ? way.fallback : way.beside;
  if (streams === undefined) {
    return { few: few ?? emptyLookup, streams: [], kind: "all" };
  }
  return { few: few ?? emptyLookup, ...(await openStreams(db, search, streams, before)) };
}

async function openStreams(
  db: Queryable,
  { subscriptionIds, filter }: LogSearch,
  { kind, values }: StreamSelection,
  before: number | undefined,
): Promise<Pick<Sources, "streams" | "kind">> {
  const { since, until } = filter;
  const ranges = await findRanges(db, subscriptionIds, { since, until, before });
  return { kind, streams: ranges.flatMap((range) => values.map((value) => ({ ...range, value }))) };
}

/** What a search is known by. Each member of the filter stands where it is written. */
export function fingerprintOf(search: unknown): string {
  return createHash("sha256").update(JSON.stringify(search)).digest("base64url").slice(0, 16);
}

export function encodeCursor(before: number, fingerprint: string): string {
  const cursor: Cursor = { v: version, b: before, f: fingerprint };
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** The id that the search goes on below. Throws `invalid_parameter` where it is not such a cursor. */
export function decodeCursor(text: string, fingerprint: string): number {
  const { v, b, f } = decode(text) ?? {};
  if (v !== version || typeof b !== "number" || !Number.isSafeInteger(b) || b < 1) {
    throw invalidParameter(
      "cursor",
      "format",
      "The cursor is invalid: use one that a list returned.",
    );
  }
  if (f !== fingerprint) {
    const detail =
      "The cursor belongs to a search with other filters. Repeat the request with the same filters.";
    throw invalidParameter("cursor", "mismatch", detail);
  }
  return b;
}

function decode(text: string): Partial<Cursor> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
