import type { Chunk, Stream } from "./stream-store.ts";

/** What was found, newest first. All that matches and has an id from `horizon` on is in it. */
export type Merged = {
  ids: number[];
  horizon: number;
  /** Nothing is left below the horizon. */
  isExhausted: boolean;
  examined: number;
};

export type MergeOptions = {
  read: (streams: readonly Stream[], size: number) => Promise<Chunk[]>;
  /** How many matches, and how many rows looked at, are enough. */
  count: number;
  budget: number;
};

/** A stream that is not at its end: `reach` is the lowest id that it has come to. */
type Open = { stream: Stream; reach: number };

const firstRead = 1_000;

const growth = 4;

/**
 * Many streams, each in the order of its ids, as one. `known`: matches that are in none of them.
 * Streams are read by pieces that grow, so that few of many matches cost little, and rare ones few
 * round trips.
 */
export async function merge(
  known: { found: readonly number[]; examined: number },
  streams: readonly Stream[],
  { read, count, budget }: MergeOptions,
): Promise<Merged> {
  const found = [...known.found];
  let examined = 0;
  let open: Open[] = streams.map((stream) => ({ stream, reach: Number.POSITIVE_INFINITY }));
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
      return chunk === undefined ? [] : advance(one, chunk, most);
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
function horizonOf(open: readonly Open[]): number {
  return open.reduce((highest, { reach }) => Math.max(highest, reach), 0);
}

/** Those that have come least far: at first all, then the half that holds the others up. */
function nextToRead(open: readonly Open[]): Open[] {
  const unread = open.filter(({ reach }) => reach === Number.POSITIVE_INFINITY);
  return unread.length > 0
    ? unread
    : open.toSorted((a, b) => b.reach - a.reach).slice(0, Math.ceil(open.length / 2));
}

function advance(
  { stream }: Open,
  { examined, lastSequence, lastId }: Chunk,
  size: number,
): Open[] {
  return examined < size || lastSequence <= stream.from
    ? []
    : [{ stream: { ...stream, below: lastSequence }, reach: lastId }];
}

function byId(a: number, b: number): number {
  return b - a;
}
