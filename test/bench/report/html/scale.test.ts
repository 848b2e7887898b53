import { expect } from "chai";
import fc from "fast-check";
import { scaleFor, showAmount, showTick } from "../../../../bench/report/html/scale.ts";

describe("the scale of an axis", () => {
  it("has round steps from 0", () => {
    expect(scaleFor(165)).to.deep.equal({ most: 200, ticks: [0, 50, 100, 150, 200] });
    expect(scaleFor(9.3).ticks).to.deep.equal([0, 2.5, 5, 7.5, 10]);
    expect(scaleFor(0.4).ticks).to.deep.equal([0, 0.1, 0.2, 0.3, 0.4]);
  });

  it("includes every value, without much space above it", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (value) => {
        const { most, ticks } = scaleFor(value);
        return most >= value * 0.999 && most <= value * 2.01 && ticks.length <= 5;
      }),
    );
  });

  it("exists without measurements", () => {
    for (const nothing of [0, Number.NaN, -Infinity]) {
      expect(scaleFor(nothing).most).to.equal(1);
    }
  });

  it("has a useful number of digits", () => {
    expect([12_000, 250, 2.5].map(showTick)).to.deep.equal(["12,000", "250", "2.5"]);
    expect([12_345.6, 54.84, 0.081].map(showAmount)).to.deep.equal(["12,346", "54.8", "0.08"]);
  });
});
