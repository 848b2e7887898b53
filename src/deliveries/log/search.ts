/**
 * Searches the log, newest first. Stops after a bounded number of rows whatever the filter; the
 * cursor continues from there.
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

/** The enterprise and subscriptions to search. */
export type LogSearch = Readonly<{
  enterpriseId: number;
  /** All belong to this enterprise, and no other subscription is searched. */
  subscriptionIds: readonly number[];
  filter: DeliveryFilter;
}>;

export type SearchLimits = Readonly<{
  /** Only ids below this one. */
  before: number | undefined;
  /** The search ends after this many matches. */
  count: number;
  /** The search also ends after this many examined rows. */
  budget: number;
}>;

/** Positions of the matches of a search. */
type Sources = { lookup: LookupResult; streams: DeliveryStream[]; kind: StreamSelection["kind"] };

/** Matches, newest first. Complete for ids from `horizon` on. */
export type MergeResult = {
  ids: number[];
  horizon: number;
  /** Nothing is left below the horizon. */
  isExhausted: boolean;
  examined: number;
};

export type MergeOptions = {
  read: (streams: readonly DeliveryStream[], size: number) => Promise<StreamChunk[]>;
  /** Limits of matches and of examined rows. */
  count: number;
  budget: number;
};

/** A stream with rows left. `reach` is the lowest id read so far. */
type OpenStream = { stream: DeliveryStream; reach: number };

/**
 * A cursor continues a search below an id. It contains nothing secret. It is bound to its search
 * only so that it cannot continue a different one by mistake.
 */
const version = 1;

type Cursor = { v: number; b: number; f: string };

/** The ids of matching deliveries, newest first. */
export async function findMatches(
  db: Queryable,
  search: LogSearch,
  { before, count, budget }: SearchLimits,
): Promise<MergeResult> {
  const { lookup, streams, kind } = await openSources(db, search, before);
  const reading = {
    kind,
    condition: conditionOf(search.filter, before),
    needsEvent: needsEvent(search.filter),
  };
  return merge(lookup, streams, {
    read: (some, size) => readStreams(db, reading, some, size),
    ...{ count, budget },
  });
}

const firstRead = 1_000;

const growth = 4;

/**
 * A k-way merge of streams that are sorted by id. `known`: matches outside the streams. Chunks
 * start small and grow: frequent matches cost few rows, rare ones few round trips.
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

/**
 * Above this id the result is complete; below it, the stream with the highest `reach` may have
 * more.
 */
function horizonOf(open: readonly OpenStream[]): number {
  return open.reduce((highest, { reach }) => Math.max(highest, reach), 0);
}

/** The streams to read next: first all, then the half that limits the horizon. */
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

/** At most this many deliveries of each subscription are counted, the newest. */
const maxCounted = 100_000;

/** The limit where each row needs a lookup in another table. */
const maxCountedByEvent = 5_000;

/**
 * Counts matches, at most 100,000. Approximate if there are more, or if the request may not examine
 * that many rows.
 */
export async function countMatches(
  db: Queryable,
  search: LogSearch,
): Promise<{ total: number; isExact: boolean }> {
  const { lookup, streams, kind } = await openSources(db, search, undefined);
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
  const total = count + lookup.found.length;
  return { total: Math.min(total, maxCounted), isExact: isExact && total <= maxCounted };
}

const emptyLookup: LookupResult = { examined: 0, found: [] };

async function openSources(
  db: Queryable,
  search: LogSearch,
  before: number | undefined,
): Promise<Sources> {
  const { filter } = search;
  const plan = queryPlanOf(filter);
  const lookup =
    plan.lookup &&
    (await findIndexed(db, plan.lookup, {
      ...search,
      condition: conditionOf(filter, before),
      needsEvent: needsEvent(filter),
    }));
  const streams = lookup === undefined ? plan.fallback : plan.unindexed;
  if (streams === undefined) {
    return { lookup: lookup ?? emptyLookup, streams: [], kind: "all" };
  }
  return { lookup: lookup ?? emptyLookup, ...(await openStreams(db, search, streams, before)) };
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

/** The fingerprint of a search. Depends on the order of the members, which is fixed in the code. */
export function fingerprintOf(search: unknown): string {
  return createHash("sha256").update(JSON.stringify(search)).digest("base64url").slice(0, 16);
}

export function encodeCursor(before: number, fingerprint: string): string {
  const cursor: Cursor = { v: version, b: before, f: fingerprint };
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** The id below which the search continues. Throws `invalid_parameter` for an invalid cursor. */
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
