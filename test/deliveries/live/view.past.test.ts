import { expect } from "chai";
import { emptyTally } from "../../../src/pipeline/ledger/attempt-tallies.ts";
import { recentBuckets } from "../../../src/deliveries/live/view.ts";

const start = Date.parse("2026-11-22T14:00:00Z");
function at(seconds: number): Date {
  return new Date(start + seconds * 1_000);
}
function delivered(count: number) {
  return { ...emptyTally(), delivered: count };
}

describe("the history of a live view", () => {
  it("has contiguous intervals, including empty ones, until the end of the tallies", () => {
    const rows = [
      { at: at(10), ...delivered(7) },
      { at: at(30), ...delivered(2) },
    ];
    const buckets = recentBuckets({ rows, until: at(34) }, at(3));
    expect(buckets.map((one) => [one.at, one.seconds, one.tally.delivered])).to.deep.equal([
      [at(20), 10, 7],
      [at(30), 10, 0],
      [at(34), 4, 2],
    ]);
  });

  it("is empty if the tallies ended earlier", () => {
    expect(recentBuckets({ rows: [], until: at(-60) }, at(0))).to.deep.equal([]);
  });
});
