import { expect } from "chai";
import { median, medianOfAll } from "../../../bench/support/statistics.ts";

describe("medians", () => {
  it("are the middle value, or the mean of the two in the middle", () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([9, 1, 5, 6])).to.equal(5.5);
  });

  it("combine results of one shape number by number, and keep their texts", () => {
    const result = (rate: number, p99: number) => ({ name: "drain", rate, latency: { p99 } });
    expect(medianOfAll([result(30, 1), result(10, 3), result(20, 2)])).to.deep.equal(result(20, 2));
  });
});
