import { expect } from "chai";
import { trendOf } from "../../../bench/support/trend.ts";

function seriesOf(count: number, read: (at: number) => number) {
  return Array.from({ length: count }, (_, at) => ({ at, value: read(at) }));
}

describe("the trend of samples", () => {
  it("is flat for values that only fluctuate", () => {
    const { growth, isFlat, slope } = trendOf(seriesOf(60, (at) => 100 + 8 * (at % 2)));
    expect(growth).to.equal(1);
    expect(isFlat).to.equal(true);
    expect(slope).to.be.closeTo(0, 0.05);
  });

  it("is not flat for a leak, and has its slope", () => {
    const { first, last, isFlat, slope } = trendOf(seriesOf(61, (at) => 100 + at));
    expect([first, last]).to.deep.equal([109.5, 150.5]);
    expect(isFlat).to.equal(false);
    expect(slope).to.be.closeTo(1, 1e-9);
  });

  it("ignores a single high value", () => {
    expect(trendOf(seriesOf(30, (at) => (at === 29 ? 900 : 100))).growth).to.equal(1);
  });

  it("needs one sample only", () => {
    expect(trendOf([{ at: 1, value: 5 }])).to.include({ first: 5, last: 5, growth: 1, slope: 0 });
  });
});
