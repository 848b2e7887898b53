import { expect } from "chai";
import fc from "fast-check";
import { toPage } from "../../../src/deliveries/pull/present.ts";
import type { PulledEvent } from "../../../src/pipeline/ledger/queries/pull.ts";

function at(sequence: number): PulledEvent {
  return { sequence } as PulledEvent;
}

describe("toPage", () => {
  it("accounts for every sequence exactly once, for any deletions and page sizes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (kept, limit) => {
          const stored = kept.flatMap((isKept, index) => (isKept ? [index + 1] : []));
          const seen: number[] = [];
          let after = 0;
          let hasMore = true;
          while (hasMore) {
            const found = stored.filter((sequence) => sequence > after).slice(0, limit);
            const isLast = found.length < limit;
            const page = toPage(
              { events: found.map(at), lastSequence: kept.length, isLast },
              { after, isFirst: false },
            );
            const skipped = page.skipped.flatMap(({ from, to }) =>
              Array.from({ length: to - from + 1 }, (_, index) => from + index),
            );
            expect(skipped.some((sequence) => stored.includes(sequence))).to.equal(false);
            seen.push(...[...found, ...skipped].toSorted((a, b) => a - b));
            expect(page.next).to.be.at.least(after);
            after = page.next;
            hasMore = page.hasMore;
          }
          expect(seen).to.deep.equal(kept.map((_, index) => index + 1));
        },
      ),
    );
  });

  it("reports no gap before the first event of a new reader", () => {
    const page = { events: [at(5)], lastSequence: 5, isLast: true };
    expect(toPage(page, { after: 0, isFirst: true }).skipped).to.deep.equal([]);
    const nothing = { events: [], lastSequence: 5, isLast: true };
    expect(toPage(nothing, { after: 0, isFirst: true })).to.deep.equal({
      events: [],
      skipped: [],
      next: 5,
      hasMore: false,
    });
  });
});
