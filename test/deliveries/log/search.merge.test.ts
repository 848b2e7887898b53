import { expect } from "chai";
import fc from "fast-check";
import { merge } from "../../../src/deliveries/log/search.ts";
import type {
  StreamChunk,
  DeliveryStream,
} from "../../../src/pipeline/ledger/queries/delivery-streams.ts";

type Row = { id: number; isMatch: boolean };

/** Streams of rows in memory; `value` is the index of the stream. */
function readerOf(rows: readonly (readonly Row[])[]) {
  const reads: number[] = [];
  const read = async (streams: readonly DeliveryStream[], size: number): Promise<StreamChunk[]> =>
    streams.map(({ value, below }) => {
      const part = (rows[Number(value)] ?? []).filter(({ id }) => id < below).slice(0, size);
      reads.push(part.length);
      const lastId = part.at(-1)?.id ?? 0;
      return {
        examined: part.length,
        lastSequence: lastId,
        lastId,
        found: part.filter(({ isMatch }) => isMatch).map(({ id }) => id),
      };
    });
  const below = Number.MAX_SAFE_INTEGER;
  const streams = rows.map((_, n) => ({ subscriptionId: n, from: 0, below, value: String(n) }));
  return { read, reads, streams };
}

const rowsOfStreams = fc.array(fc.tuple(fc.nat(4), fc.boolean()), { maxLength: 300 }).map((drawn) =>
  Array.from({ length: 5 }, (_, n) =>
    drawn
      .map(([stream, isMatch], index) => ({ id: index + 1, isMatch, stream }))
      .filter(({ stream }) => stream === n)
      .toReversed(),
  ),
);

const known = { found: [], examined: 0 };

describe("merging streams", () => {
  it("returns every match once, newest first, for any limit of rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOfStreams,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 60 }),
        async (rows, count, budget) => {
          const seen: number[] = [];
          let before = Number.MAX_SAFE_INTEGER;
          for (let isOver = false; !isOver;) {
            const left = rows.map((stream) => stream.filter(({ id }) => id < before));
            const { read, streams } = readerOf(left);
            const part = await merge(known, streams, { read, count, budget });
            const shown = part.ids.slice(0, count);
            seen.push(...shown);
            isOver = part.isExhausted && part.ids.length <= count;
            const next = part.ids.length > count ? shown.at(-1) : part.horizon;
            expect(isOver || (next ?? 0) < before, "it continues").to.equal(true);
            before = next ?? 0;
          }
          const all = rows.flat().filter(({ isMatch }) => isMatch);
          expect(seen).to.deep.equal(all.map(({ id }) => id).toSorted((a, b) => b - a));
        },
      ),
    );
  });

  it("stays within its limit, except for one row per stream", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOfStreams, fc.integer({ min: 1, max: 60 }), async (rows, budget) => {
        const { read, reads, streams } = readerOf(rows);
        const { examined } = await merge(known, streams, { read, count: 1_000, budget });
        expect(examined).to.equal(reads.reduce((sum, size) => sum + size, 0));
        expect(examined).to.be.at.most(budget + streams.length);
      }),
    );
  });

  it("holds back known matches until the streams have reached them", async () => {
    const old = Array.from({ length: 50 }, (_, n) => ({ id: 100 - n, isMatch: false }));
    const { read, streams } = readerOf([old]);
    const few = { found: [99, 10], examined: 2 };
    const part = await merge(few, streams, { read, count: 5, budget: 6 });
    expect(part).to.deep.include({ ids: [99], isExhausted: false });
    const rest = await merge(few, streams, { read, count: 5, budget: 100 });
    expect(rest).to.deep.include({ ids: [99, 10], isExhausted: true });
  });

  it("reads a stream with many matches once", async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ id: 5_000 - n, isMatch: true }));
    const { read, reads, streams } = readerOf([rows]);
    await merge(known, streams, { read, count: 50, budget: 5_000 });
    expect(reads).to.deep.equal([51]);
  });
});
