import { expect } from "chai";
import { bucketTotals, totalsOf } from "../../../../web/console/webhooks/sparkline-points.ts";
import type { SeriesPoint } from "../../../../web/console/webhooks/types.ts";

function points(count: number): SeriesPoint[] {
  return Array.from({ length: count }, () => ({ delivered: 1, failed: 2 }) as SeriesPoint);
}

describe("the bars of a sparkline", () => {
  for (const [count, bars, each] of [
    [144, 24, 6],
    [145, 24, 6],
    [149, 24, 6],
    [25, 25, 1],
    [3, 3, 1],
  ] as const) {
    it(`are ${bars} of equal length for ${count} points`, () => {
      const sums = bucketTotals(points(count));
      expect(sums).to.have.length(bars);
      expect(new Set(sums.map(({ delivered }) => delivered))).to.deep.equal(new Set([each]));
    });
  }

  it("are empty without data, and totals include all points", () => {
    expect(bucketTotals([])).to.deep.equal([]);
    expect(totalsOf(points(3))).to.deep.equal({ delivered: 3, failed: 6 });
  });
});
