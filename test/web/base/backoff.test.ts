import { expect } from "chai";
import { backoffMs } from "../../../web/base/backoff.ts";

describe("the backoff delay", () => {
  const ceilings = [1, 2, 3, 4, 5, 6, 7, 60].map((failures) =>
    backoffMs(failures, { random: () => 1 }),
  );

  it("doubles with each failure, up to 30 seconds", () => {
    expect(ceilings).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it("has a jitter of up to half its length", () => {
    expect(backoffMs(4, { random: () => 0 })).to.equal(4_000);
    expect(new Set(Array.from({ length: 20 }, () => backoffMs(5))).size).to.be.greaterThan(10);
  });
});
