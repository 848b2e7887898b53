import { expect } from "chai";
import { createTokenBucket } from "../../../src/platform/concurrency/limiters.ts";

describe("a token bucket", () => {
  it("allows a burst, then the rate", () => {
    let nowMs = 0;
    const bucket = createTokenBucket({ size: 3, perSecond: 2 }, () => nowMs);
    const take = (times: number): number =>
      Array.from({ length: times }, () => bucket.tryTake()).filter(Boolean).length;
    expect(take(5)).to.equal(3);
    nowMs = 1_000;
    expect(take(5)).to.equal(2);
    nowMs = 60_000;
    expect(take(9)).to.equal(3);
  });
});
