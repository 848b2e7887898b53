import { expect } from "chai";
import {
  advanceFeed,
  type FeedPosition,
  type IdRange,
} from "../../../src/pipeline/ledger/attempt-feed.ts";

function islandsOf(ids: readonly number[]): IdRange[] {
  const islands: IdRange[] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const last = islands.at(-1);
    if (last?.to === id - 1) {
      last.to = id;
    } else {
      islands.push({ from: id, to: id });
    }
  }
  return islands;
}

const start: FeedPosition = { reached: 0, missing: [] };

describe("advance", () => {
  it("moves past contiguous rows", () => {
    expect(advanceFeed(start, [{ from: 1, to: 5 }], 0)).to.deep.equal({ reached: 5, missing: [] });
    expect(advanceFeed({ reached: 5, missing: [] }, [], 0)).to.deep.equal({
      reached: 5,
      missing: [],
    });
  });

  it("remembers missing ids until they are read", () => {
    const first = advanceFeed(start, islandsOf([1, 2, 5, 9]), 1_000);
    expect(first).to.deep.equal({
      reached: 9,
      missing: [
        { from: 3, to: 4, sinceMs: 1_000 },
        { from: 6, to: 8, sinceMs: 1_000 },
      ],
    });
    const second = advanceFeed(first, islandsOf([3, 7, 10]), 2_000);
    expect(second).to.deep.equal({
      reached: 10,
      missing: [
        { from: 4, to: 4, sinceMs: 1_000 },
        { from: 6, to: 6, sinceMs: 1_000 },
        { from: 8, to: 8, sinceMs: 1_000 },
      ],
    });
  });

  it("drops missing ids after a minute", () => {
    const first = advanceFeed(start, islandsOf([1, 3]), 0);
    expect(advanceFeed(first, [], 59_999).missing).to.have.length(1);
    expect(advanceFeed(first, [], 60_000).missing).to.deep.equal([]);
  });

  it("reads each row once, in any order of commits", () => {
    // A seeded random number generator, so that failures are reproducible.
    let seed = 7;
    const random = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
    const invisible = new Set(Array.from({ length: 300 }, (_, n) => n + 1));
    const visible = new Set<number>();
    const read: number[] = [];
    let feed = start;
    for (let round = 0; round < 60; round += 1) {
      const horizon = (round + 1) * 10;
      for (const id of invisible) {
        if (id <= horizon && random() < 0.4) {
          invisible.delete(id);
          visible.add(id);
        }
      }
      const isNew = (id: number): boolean =>
        id > feed.reached || feed.missing.some(({ from, to }) => id >= from && id <= to);
      const fresh = [...visible].filter(isNew);
      read.push(...fresh);
      feed = advanceFeed(feed, islandsOf(fresh), round * 100);
    }
    expect(read.toSorted((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 300 }, (_, n) => n + 1),
    );
  });
});
