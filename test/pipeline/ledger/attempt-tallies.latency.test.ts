import { expect } from "chai";
import { addHistograms, percentilesOf } from "../../../src/pipeline/ledger/attempt-tallies.ts";

/** Uses the same buckets as the database. */
function histogramOf(times: readonly number[]): number[] {
  const histogram: number[] = [];
  for (const ms of times) {
    const bucket = Math.min(46, Math.ceil(2 * Math.log2(Math.max(ms, 1))));
    while (histogram.length <= bucket) {
      histogram.push(0);
    }
    histogram[bucket] = (histogram[bucket] ?? 0) + 1;
  }
  return histogram;
}

describe("percentilesOf", () => {
  it("is null without attempts", () => {
    expect(percentilesOf([])).to.deep.equal({ p50: null, p95: null, p99: null });
    expect(percentilesOf([0, 0])).to.deep.equal({ p50: null, p95: null, p99: null });
  });

  it("is within 20 % of the exact percentiles", () => {
    const times = Array.from({ length: 10_000 }, (_, n) => 5 + ((n * 7_919) % 10_000) * 0.4);
    const sorted = times.toSorted((a, b) => a - b);
    const events = percentilesOf(histogramOf(times));
    for (const [name, share] of [
      ["p50", 0.5],
      ["p95", 0.95],
      ["p99", 0.99],
    ] as const) {
      const exact = sorted[Math.floor(times.length * share)] ?? 0;
      expect(events[name], name).to.be.within(exact * 0.8, exact * 1.2);
    }
  });

  it("puts the longest durations into the last bucket", () => {
    const { p50 } = percentilesOf(histogramOf([86_400_000]));
    expect(p50).to.be.within(5_000_000, 8_400_000);
  });
});

describe("addHistograms", () => {
  it("accepts omitted trailing zeros", () => {
    expect(addHistograms([1, 2], [0, 1, 5])).to.deep.equal([1, 3, 5]);
    expect(addHistograms([], [])).to.deep.equal([]);
  });
});
